import { messageOf } from '../../platform/errors.js';
import type { Receiver, ReceiverType } from '../definition/receiver.js';
import type { Notice } from '../notice.js';
import { alertmanagerPost } from './alertmanager.js';
import { post, type Delivery, type PostRequest } from './post.js';
import { readSecrets, type ReceiverSecrets } from './secrets.js';
import { slackPost } from './slack.js';
import { webhookPost } from './webhook.js';

type Write = (notice: Notice, secrets: ReceiverSecrets, seconds: number) => PostRequest;

const writes: Readonly<Record<ReceiverType, Write>> = {
  webhook: webhookPost,
  alertmanager: (notice, secrets) => alertmanagerPost([notice], secrets),
  slack: slackPost,
};

/** Sends a notice to a receiver, and tells what became of it. It never rejects. */
export function sendNotice(
  notice: Notice,
  receiver: Receiver,
  signal: AbortSignal,
  limitMs?: number,
): Promise<Delivery> {
  const write = writes[receiver.type];
  const seconds = Math.floor(Date.now() / 1000);
  return sendPost((secrets) => write(notice, secrets, seconds), receiver, signal, limitMs);
}

/** Tells an Alertmanager again which alerts are open: else they end by themselves. It never rejects. */
export function renewAlerts(
  open: readonly Notice[],
  receiver: Receiver,
  signal: AbortSignal,
): Promise<Delivery> {
  return sendPost((secrets) => alertmanagerPost(open, secrets), receiver, signal);
}

async function sendPost(
  write: (secrets: ReceiverSecrets) => PostRequest,
  receiver: Receiver,
  signal: AbortSignal,
  limitMs?: number,
): Promise<Delivery> {
  let secrets: ReceiverSecrets;
  try {
    secrets = readSecrets(receiver);
  } catch (error) {
    return { isTaken: false, answer: messageOf(error) };
  }
  return post({ ...write(secrets), secrets: secretTexts(secrets) }, signal, limitMs);
}

/** The host may be a secret as the path is, and the `/services` of an incoming webhook of Slack is none. */
function secretTexts({ url, secret, headers }: ReceiverSecrets): string[] {
  const path = `${url.pathname}${url.search}`.replace(/^\/services\//, '/');
  const values = headers.filter((_, at) => at % 2 === 1);
  return [path, url.host, ...(secret === undefined ? [] : [secret]), ...values];
}
