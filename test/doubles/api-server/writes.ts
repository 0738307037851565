import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiServer } from './api-server.js';
import type { Stored } from './collection.js';
import { sendJson, statusObject } from './faults.js';

/** What is asked for by a SelfSubjectAccessReview. */
export interface AskedRight {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const namespaces = '/api/v1/namespaces';

/**
 * What an API server does when objects are made and removed: names that exist, unique ids, namespaces that
 * take with them what is in them, rights that are asked for.
 */
export class Writes {
  /** All objects that are there, by their paths. */
  readonly objects = new Map<string, Stored>();
  /** `POST path` and `DELETE path`, in their order; reviews of rights are none. */
  readonly done: string[] = [];
  readonly askedRights: AskedRight[] = [];
  isAllowed: (right: AskedRight) => boolean = () => true;
  /** An admission plug-in. */
  admit: (path: string, object: Stored) => Stored | Refusal = (_, object) => object;
  /** Pods whose kubelet does not answer: they, and so their namespace, stay until they are removed without a wait. */
  readonly stuckPods = new Set<string>();
  /** Called after an object was made. */
  onMade: (path: string, object: Stored) => void = () => undefined;
  readonly #api: ApiServer;
  #ending: (() => void) | undefined;

  constructor(api: ApiServer) {
    this.#api = api;
  }

  /** Whether a request is for this double. */
  takes({ method }: IncomingMessage, path: string): boolean {
    return method !== 'GET' || this.#isOneNamespace(path);
  }

  #isOneNamespace(path: string): boolean {
    return path.startsWith(`${namespaces}/`) && path.split('/').length === 5;
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const body = await text(request);
    if (request.method === 'GET') {
      const found = this.objects.get(path);
      if (found) sendJson(response, 200, found);
      else refuse(response, { code: 404, reason: 'NotFound', message: `${path} not found` });
      return;
    }
    if (path === reviews) this.#review(response, body);
    else if (request.method === 'POST') this.#make(response, path, JSON.parse(body) as Stored);
    else if (request.method === 'DELETE') this.#remove(response, path, body);
    else refuse(response, { code: 405, reason: 'MethodNotAllowed', message: 'not here' });
  }

  #review(response: ServerResponse, body: string): void {
    const review = JSON.parse(body) as { spec: { resourceAttributes: AskedRight } };
    const right = review.spec.resourceAttributes;
    this.askedRights.push(right);
    sendJson(response, 201, { ...review, status: { allowed: this.isAllowed(right) } });
  }

  #make(response: ServerResponse, collection: string, given: Stored): void {
    const path = `${collection}/${given.metadata.name}`;
    this.done.push(`POST ${path}`);
    if (this.objects.has(path)) {
      const message = `"${given.metadata.name}" already exists`;
      refuse(response, { code: 409, reason: 'AlreadyExists', message });
      return;
    }
    const admitted = this.admit(path, given);
    if (!('metadata' in admitted)) {
      refuse(response, admitted);
      return;
    }
    const object = {
      ...admitted,
      metadata: { ...admitted.metadata, uid: randomUUID() },
    };
    this.objects.set(path, object);
    if (collection === namespaces) {
      this.#api.pods(given.metadata.name);
      this.#api.collection(`${namespaces}/${given.metadata.name}/events`);
    }
    if (collection.endsWith('/daemonsets')) {
      this.#api.collection('/apis/apps/v1/daemonsets').put(object);
    }
    sendJson(response, 201, object);
    this.onMade(path, object);
  }

  #remove(response: ServerResponse, path: string, body: string): void {
    this.done.push(`DELETE ${path}`);
    const pod = path.split('/pods/')[1];
    if (pod !== undefined) {
      const { gracePeriodSeconds } = JSON.parse(body) as { gracePeriodSeconds?: number };
      if (gracePeriodSeconds === 0) this.stuckPods.delete(pod);
      if (this.stuckPods.size === 0) this.#ending?.();
      sendJson(response, 200, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
      });
      return;
    }
    const found = this.objects.get(path);
    if (!found) {
      refuse(response, { code: 404, reason: 'NotFound', message: `${path} not found` });
      return;
    }
    const { preconditions } = (body === '' ? {} : JSON.parse(body)) as {
      preconditions?: { uid?: string };
    };
    if (preconditions?.uid !== undefined && preconditions.uid !== found.metadata['uid']) {
      refuse(response, { code: 409, reason: 'Conflict', message: 'the UID is another one' });
      return;
    }
    this.#ending = () => {
      for (const known of [...this.objects.keys()]) {
        const isInside = path.startsWith(`${namespaces}/`) && known.includes(`${path.slice(7)}/`);
        if (known === path || isInside) this.objects.delete(known);
      }
    };
    if (!path.startsWith(`${namespaces}/`) || this.stuckPods.size === 0) this.#ending();
    sendJson(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }
}

function refuse(response: ServerResponse, { code, reason, message }: Refusal): void {
  sendJson(response, code, { ...statusObject(code, message), reason });
}
