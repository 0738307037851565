import { messageOf } from '../../platform/errors.js';
import type { Receiver, ReceiverType } from '../definition/receiver.js';
import type { Notice } from '../notice.js';
import { alertmanagerPost } from './alertmanager.js';
import { post, type Delivery, type Post } from './post.js';
import { readSecrets, type ReceiverSecrets } from './secrets.js';
import { slackPost } from './slack.js';
import { webhookPost } from './webhook.js';

type Write = (notice: Notice, secrets: ReceiverSecrets, seconds: number) => Post;

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
  write: (secrets: ReceiverSecrets) => Post,
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
  const request = write(secrets);
  const { isTaken, answer } = await post(request, signal, limitMs);
  return { isTaken, answer: withoutSecrets(answer, secrets) };
}

const shortestSecret = 6;

/** A server may say again what it was sent. */
function withoutSecrets(text: string, { url, secret, headers }: ReceiverSecrets): string {
  const path = url.pathname + url.search;
  const hidden = [url.href, path, url.pathname, secret ?? '', ...headers]
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  return hidden.reduce((left, one) => left.replaceAll(one, '...'), text);
}
