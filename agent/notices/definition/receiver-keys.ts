/** One key of a receiver in a notify file. */
interface ReceiverKey {
  readonly form: string;
  readonly meaning: string;
}

/** The keys of a receiver. `npm run docs` lists them in docs/reference.md. */
export const receiverKeys = {
  name: {
    form: '1 to 63 of `a-z` `0-9` `-`',
    meaning: 'Listed once. Agents know the receiver by it',
  },
  type: {
    form: '`webhook`, `alertmanager` or `slack`',
    meaning:
      'What is sent: the JSON of docs/notices.md, alerts of the API v2 of Alertmanager, or a message of an incoming webhook of Slack',
  },
  url: {
    form: 'an http or https URL',
    meaning:
      'Where it is sent, without a user and password; of an Alertmanager what comes before `/api/v2/alerts`. A redirect is not followed. This or `urlFile`',
  },
  urlFile: {
    form: 'the absolute path of a file',
    meaning: 'The same, where the URL is a secret. Of `slack` it always is',
  },
  secretFile: {
    form: 'the absolute path of a file',
    meaning: 'Of `webhook`: the secret that signs each message, at least 16 bytes',
  },
  headersFile: {
    form: 'the absolute path of a file',
    meaning:
      'Of `webhook` and `alertmanager`: lines of `Name: value` to send, such as an `Authorization`',
  },
  ca: {
    form: 'the absolute path of a PEM file',
    meaning: 'Who signs the certificate (default: those that Node knows)',
  },
  severities: { form: 'a list of `broken`, `degraded`', meaning: 'Default: both' },
  kinds: {
    form: 'a list of kinds of findings',
    meaning: 'All but `not-listed`, of which nobody is told (default: all of these)',
  },
  zones: {
    form: 'a list of zones',
    meaning:
      'Findings of nodes in these zones; what is about the whole cluster is told to everyone (default: all)',
  },
  after: {
    form: 'a duration up to 24h',
    meaning: 'A finding is told when it has lasted for so long (default: `0s`)',
  },
} as const satisfies Record<string, ReceiverKey>;
