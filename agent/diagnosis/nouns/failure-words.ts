import { targetFailureWords, type FailureKind } from '../../model/failure.js';

const words: Readonly<Record<FailureKind, string>> = {
  timeout: 'Connection timed out',
  refused: 'connection refused',
  unreachable: 'no route to host',
  prohibited: 'administratively prohibited',
  reset: 'connection reset by peer',
  protocol: 'not an HTTP answer',
  status: 'not the status 200',
  'too-large': 'answer too large',
  local: 'could not be sent',
  ...targetFailureWords,
};

/** The words for a failure. */
export function failureWords(failure: FailureKind): string {
  return words[failure];
}
