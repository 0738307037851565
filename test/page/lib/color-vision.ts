/** A colour as `r,g,b`, 0 to 255. */
export type Rgb = string;

type Matrix = readonly (readonly [number, number, number])[];

/**
 * How colours look to people who lack one kind of cone, in linear RGB. Source: Machado, Oliveira
 * and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
 * severity 1.
 */
export const visions: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(color: Rgb): number[] {
  return color.split(',').map((text) => {
    const value = Number(text) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** WCAG 2.2's contrast ratio, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high = 0, low = 0] = [a, b]
    .map((color) => {
      const [red = 0, green = 0, blue = 0] = linear(color);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((one, other) => other - one);
  return (high + 0.05) / (low + 0.05);
}

/**
 * How different two colours look: the distance in Oklab, times 100. People do not see a difference
 * below about 2.
 */
export function difference(a: Rgb, b: Rgb, vision: Matrix): number {
  const [one, other] = [a, b].map((color) => oklab(linear(color), vision));
  return 100 * Math.hypot(...(one ?? []).map((value, at) => value - (other?.[at] ?? 0)));
}

function oklab(rgb: readonly number[], vision: Matrix): number[] {
  const seen = multiply(vision, rgb).map((value) => Math.min(1, Math.max(0, value)));
  const cones = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  ).map(Math.cbrt);
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function multiply(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0));
}
