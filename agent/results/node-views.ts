import type { Plane } from '../model/path.js';
import { protocols } from '../model/sample.js';
import { stateNow, type AnswerAge } from './answer-age.js';
import type { NodeEntry, PathEntry, SeriesEntry } from './listed-nodes.js';
import type { ProbeHistory } from './probe-history.js';
import type { NodeView, PathView, ProtocolView } from './snapshot.js';

/** The view of a node. It is made anew where a sample came since, or an answer in it no longer holds. */
export function nodeView(node: NodeEntry, history: ProbeHistory, age: AnswerAge): NodeView {
  if (node.view && age.nowMs - node.oldestAnswerMs <= age.holdsMs) return node.view;
  const { name, lifecycle, paths } = node;
  node.oldestAnswerMs = Infinity;
  const plane = (wanted: Plane) =>
    paths
      .filter(({ path }) => path.plane === wanted)
      .map((entry) => {
        const view = pathView(entry, history, age);
        for (const protocol of protocols) {
          const { state, answeredSentMs } = view[protocol].state;
          if (state === 'reachable' && answeredSentMs < node.oldestAnswerMs)
            node.oldestAnswerMs = answeredSentMs;
        }
        return view;
      });
  node.view = Object.freeze({ name, lifecycle, host: plane('host'), endpoint: plane('endpoint') });
  return node.view;
}

/** The view of a path. Its summaries are kept until a sample comes. */
export function pathView(
  { path: { ip }, icmp, http }: PathEntry,
  history: ProbeHistory,
  age: AnswerAge,
): PathView {
  return Object.freeze({
    ip,
    icmp: protocolView(icmp, history, age),
    http: protocolView(http, history, age),
  });
}

function protocolView(entry: SeriesEntry, history: ProbeHistory, age: AnswerAge): ProtocolView {
  entry.summary ??= history.summary(entry.series, age.nowMs);
  return { state: stateNow(entry.state, age), summary: entry.summary };
}

/** Forgets the views and summaries of nodes: those of 20,000 take some 45 MB. */
export function forgetViews(nodes: Iterable<NodeEntry>): void {
  for (const node of nodes) {
    node.view = undefined;
    for (const { icmp, http } of node.paths) icmp.summary = http.summary = undefined;
  }
}
