import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressesInHosts } from '../../../../agent/targets/probers/hosts-file.js';
import { candidatesOf } from '../../../../agent/targets/probers/resolve-host.js';
import { newFolder } from '../../../resources/folder.js';

const search = ['a.svc.k.example', 'k.example'];

test('names are tried as resolv.conf(5) has it', () => {
  const tried = (host: string, ndots: number) => candidatesOf(host, { search, ndots });
  expect(tried('db', 1)).toEqual(['db.a.svc.k.example', 'db.k.example', 'db']);
  expect(tried('db.example', 1)).toEqual([
    'db.example',
    'db.example.a.svc.k.example',
    'db.example.k.example',
  ]);
  expect(tried('db.example', 5).at(-1)).toBe('db.example');
  expect(tried('db.example.', 5)).toEqual(['db.example']);
});

test('the hosts file is read as hosts(5) has it', () => {
  const folder = newFolder();
  const path = join(folder, 'hosts');
  writeFileSync(
    path,
    '127.0.0.1\tlocalhost\n198.51.100.7 Db.Example db # the database\n2001:db8::7 db\n#198.51.100.8 db\nbad db\nfe80::1%eth0 db\n',
  );
  expect(addressesInHosts(path, 'db')).toEqual(['198.51.100.7', '2001:db8::7']);
  expect(addressesInHosts(path, 'db.example')).toEqual(['198.51.100.7']);
  expect(addressesInHosts(path, 'database')).toEqual([]);
  writeFileSync(
    path,
    `${'0.0.0.0 blocked.example\n'.repeat(100_000)}198.51.100.9 db.v1\n198.51.100.8 dbxv1\n`,
  );
  expect(addressesInHosts(path, 'db.v1')).toEqual(['198.51.100.9']);
  rmSync(folder, { recursive: true });
  expect(addressesInHosts(path, 'db')).toEqual([]);
});
