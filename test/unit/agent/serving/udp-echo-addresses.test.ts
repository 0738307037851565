import { expect, test } from 'vitest';
import { echoAddresses } from '../../../../agent/serving/responder/udp-echo-addresses.js';

const own = ['127.0.0.1', '192.0.2.2', '192.0.2.3', '::1', '2001:db8::2'];
const own4 = own.slice(0, 3);
const own6 = own.slice(3);

test.each([
  [[], own],
  [['::'], own],
  [['0.0.0.0'], own4],
  [['0.0.0.0', '::'], own],
  // As the responder does beside other addresses.
  [
    ['192.0.2.2', '::'],
    ['192.0.2.2', ...own6],
  ],
  [
    ['192.0.2.3', '0.0.0.0'],
    ['192.0.2.3', '127.0.0.1', '192.0.2.2'],
  ],
  // One that this host does not have is said when it is opened.
  [['203.0.113.7'], ['203.0.113.7']],
])('to listen at %j is to have a socket at each of %j', (listened, expected) => {
  expect([...echoAddresses(listened, own)]).toEqual(expected);
});

test.each([
  [[], ['0.0.0.0', '::']],
  [['::'], ['0.0.0.0', '::']],
  [['0.0.0.0'], ['0.0.0.0']],
  [
    ['192.0.2.2', '::'],
    ['192.0.2.2', '::'],
  ],
])('where the own addresses are not known, to listen at %j is %j', (listened, expected) => {
  expect([...echoAddresses(listened)]).toEqual(expected);
});
