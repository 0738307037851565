import { describe, expect, test } from 'vitest';
import { createKubeletApi } from '../../../../api/routes/kubelet.js';
import {
  checkupSchema,
  componentsReportSchema,
  healthAnswerSchema,
} from '../../../../api/schema/kubelet.js';

const component = { live: true, ready: true, updatedAt: '2026-01-01T00:00:00.000Z' };

function create({ live = true, ready = true } = {}) {
  const reasons = (ok: boolean) => (ok ? [] : ['scheduler: has stalled']);
  const message = [...reasons(live), ...reasons(ready)].join('; ');
  return createKubeletApi({
    live: () => ({ ok: live, reasons: reasons(live), notes: [] }),
    ready: () => ({ ok: ready, reasons: reasons(ready), notes: ['icmp: no permission'] }),
    status: () => ({
      healthy: live,
      ready,
      message,
      lastUpdate: component.updatedAt,
      components: {
        scheduler: { ...component, initialized: true, ok: live && ready, message },
      },
    }),
    checkup: () =>
      Promise.resolve({
        ok: live && ready,
        reasons: reasons(live && ready),
        checks: { scheduler: { ok: live && ready, message } },
      }),
  });
}

describe('the health port', () => {
  test.each([
    ['/liveness', healthAnswerSchema],
    ['/readiness', healthAnswerSchema],
    ['/status', componentsReportSchema],
    ['/healthz', checkupSchema],
  ])('answers %s with 200 if all is well', async (path, schema) => {
    const answer = await create().request(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    schema.parse(await answer.json());
  });

  test.each(['/liveness', '/status', '/healthz'])(
    'answers %s with 503 and the reason if the agent is not alive',
    async (path) => {
      const answer = await create({ live: false }).request(path);
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain('scheduler: has stalled');
    },
  );

  test('keeps liveness and readiness apart', async () => {
    const app = create({ ready: false });
    expect((await app.request('/liveness')).status).toBe(200);
    const answer = await app.request('/readiness');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      ok: false,
      reasons: ['scheduler: has stalled'],
      notes: ['icmp: no permission'],
    });
    expect((await app.request('/status')).status).toBe(503);
  });

  test.each(['/liveness', '/readiness', '/status', '/healthz'])(
    'answers HEAD %s as GET, without the body',
    async (path) => {
      for (const ready of [true, false]) {
        const answer = await create({ ready, live: ready }).request(path, { method: 'HEAD' });
        expect([answer.status, await answer.text()]).toEqual([ready ? 200 : 503, '']);
      }
    },
  );

  test.each([
    ['POST', 405],
    ['PUT', 405],
    ['DELETE', 405],
    ['OPTIONS', 204],
  ])('answers %s with %i and the allowed methods', async (method, status) => {
    const answer = await create().request('/readiness', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, 'GET, HEAD, OPTIONS']);
  });

  test.each(['/', '/readiness/', '/v1beta/status', '/liveness/../status/x'])(
    'answers %s with 404 and the existing paths',
    async (path) => {
      const answer = await create().request(path);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        'no such path, see /liveness, /readiness, /status, /healthz',
      ]);
    },
  );

  test.each(['127.0.0.1:4241', '198.51.100.7', '[2001:db8::1]:4241', 'localhost', ''])(
    'accepts the Host header %j',
    async (host) => {
      expect((await create().request('/liveness', { headers: { host } })).status).toBe(200);
    },
  );

  test('refuses a page that resolved its own name to this port', async () => {
    const answer = await create().request('/status', { headers: { host: 'evil.example:4241' } });
    expect(answer.status).toBe(421);
  });
});
