import type * as z from 'zod';
import { ConfigError } from '../platform/errors.js';
import { settings, type SettingName } from './settings.js';

/** The settings that were given or have a default. */
export type Values = { readonly [K in SettingName]?: z.infer<(typeof settings)[K]['schema']> };

/** @throws ConfigError where the setting was not given */
export function requireSetting<K extends SettingName>(
  values: Values,
  name: K,
): NonNullable<Values[K]> {
  const value = values[name];
  if (value === undefined) {
    const { help, value: form } = settings[name];
    throw new ConfigError(`${name}: expected ${help}, got nothing (--${name} ${form})`);
  }
  return value;
}
