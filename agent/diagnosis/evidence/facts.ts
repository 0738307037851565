import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Observations } from './observations.js';

/** What all findings of one run share. */
export interface Facts {
  readonly input: DiagnosisInput;
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly localNode: number;
}
