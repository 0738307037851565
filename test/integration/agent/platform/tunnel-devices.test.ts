import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tunnelDevices } from '../../../../agent/platform/tunnel-devices.js';
import { newFolder } from '../../../resources/folder.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, 'net'));
  writeFileSync(
    join(folder, 'net/dev'),
    ['vxlan.calico', 'cilium_wg0', 'tunl0', 'eth0', 'down0']
      .map((name) => ` ${name}: 0\n`)
      .join(''),
  );
});

function device(name: string, files: Readonly<Record<string, string>>): void {
  const at = join(folder, 'class/net', name);
  mkdirSync(at, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), `${text}\n`);
}

const up = '0x1003';
const ether = '1';

test('the tunnels of a host are told by kind, those that are up and in this network namespace', async () => {
  device('vxlan.calico', {
    uevent: 'DEVTYPE=vxlan\nINTERFACE=vxlan.calico',
    type: ether,
    flags: up,
  });
  device('cilium_wg0', { uevent: 'DEVTYPE=wireguard', type: '65534', flags: '0x91' });
  // The module of IPIP makes this one in each network namespace, and it stays down where nobody uses it.
  device('tunl0', { uevent: 'INTERFACE=tunl0', type: '768', flags: '0x80' });
  device('eth0', { uevent: 'INTERFACE=eth0', type: ether, flags: up });
  device('elsewhere', { uevent: 'DEVTYPE=geneve', type: ether, flags: up });
  expect(await tunnelDevices(folder, folder)).toEqual(['vxlan', 'wireguard']);
  device('tunl0', { flags: '0xc1' });
  expect(await tunnelDevices(folder, folder)).toEqual(['vxlan', 'ipip', 'wireguard']);
});

test('what is shown nowhere, or is nonsense, is none', async () => {
  expect(await tunnelDevices(folder, folder)).toEqual([]);
  expect(await tunnelDevices(join(folder, 'none'), join(folder, 'none'))).toEqual([]);
  device('eth0', { uevent: 'DEVTYPE=\u0000', type: 'x', flags: 'y' });
  expect(await tunnelDevices(folder, folder)).toEqual([]);
});
