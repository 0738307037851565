import type { Plane } from '../model/path.js';
import type { TargetView } from '../targets/views.js';
import type { LabelledValue } from './labelled-value.js';

/** Round trips of a target from one plane of this node. */
export interface TargetRtts {
  readonly target: string;
  readonly plane: Plane;
  readonly p50Seconds: number;
  /** Undefined where too few round trips of the last hour tell it. */
  readonly p99Seconds: number | undefined;
}

/** What a scrape tells of the targets: at most 16, from two planes. */
export interface TargetMetrics {
  readonly info: readonly Readonly<Record<'target' | 'kind', string>>[];
  /** 1: reachable, 0: unreachable. Of what is not known there is no value. */
  readonly up: readonly LabelledValue<'target' | 'plane'>[];
  readonly rtts: readonly TargetRtts[];
  /** In seconds since the epoch; of the two planes the earlier one, for nearly always both see the same. */
  readonly certificateEnds: readonly LabelledValue<'target'>[];
}

/** Writes what this node sees of its targets. */
export function targetMetrics(views: readonly TargetView[]): TargetMetrics {
  const planes = views.flatMap(({ target, planes: ofTarget }) =>
    ofTarget.map((view) => ({ view, labels: { target: target.name, plane: view.plane } })),
  );
  return {
    info: views.map(({ target }) => ({ target: target.name, kind: target.probe.kind })),
    up: planes
      .filter(({ view }) => view.state.state !== 'unknown')
      .map(({ view, labels }) => ({ labels, value: view.state.state === 'reachable' ? 1 : 0 })),
    rtts: planes.flatMap(({ view: { rtts }, labels }) =>
      rtts
        ? [
            {
              ...labels,
              p50Seconds: rtts.p50 / 1e9,
              p99Seconds: rtts.p99 === undefined ? undefined : rtts.p99 / 1e9,
            },
          ]
        : [],
    ),
    certificateEnds: views.flatMap(({ target, planes: ofTarget }) => {
      const ends = ofTarget.flatMap(({ answer }) => answer.certificateEndsAt ?? []);
      const value = Math.round(Math.min(...ends) / 1000);
      return ends.length === 0 ? [] : [{ labels: { target: target.name }, value }];
    }),
  };
}
