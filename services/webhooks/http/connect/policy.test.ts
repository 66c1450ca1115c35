import { describe, expect, test } from '@jest/globals';
import { createPolicy } from './policy.ts';

const open = createPolicy({ allowPrivate: true, allow: [], deny: [], allowOnly: false });
const refused = (policy: ReturnType<typeof createPolicy>, address: string, host = address) =>
  policy.refusal(host, address) !== null;

describe('address policy', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
    '8.8.8.8',
    '2001:4860:4860::8888',
    '::ffff:10.0.0.1',
  ])('by default %s is allowed', (address) => {
    expect(open.refusal(address, address)).toBeNull();
  });

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    'fe80::1%eth0',
    '::ffff:169.254.169.254%lo',
    '64:ff9b:1::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '::ffff:0:7f00:1',
    '2001:db8::5efe:a9fe:a9fe',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:0:a9fe:a9fe::',
    'fec0::1',
    'fd20:ce::254',
    '168.63.129.16',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '2001:db8::1',
    '100::1',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::ffff:0.0.0.0',
    '64:ff9b::',
    '2002::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
    'not an address',
  ])('by default %s is refused', (address) => {
    expect(open.refusal(address, address)).not.toBeNull();
  });

  test('private addresses can be refused, in every spelling', () => {
    const policy = createPolicy({
      allowPrivate: false,
      allow: ['10.0.0.0/8', '*.corp.example'],
      deny: [],
      allowOnly: false,
    });
    for (const address of [
      '127.0.0.1',
      '192.168.0.1',
      '::1',
      '::ffff:127.0.0.1',
      'fd12::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2002:c0a8:1::1',
      '::127.0.0.1',
      '2a00:1450::5efe:7f00:1',
      '2a00:1450::200:5efe:c0a8:1',
      '::1%lo',
      '100.64.0.1',
      'fd00::1%eth0',
    ])
      expect(refused(policy, address)).toBe(true);
    expect(refused(policy, '10.2.3.4')).toBe(false);
    expect(refused(policy, '::ffff:10.2.3.4')).toBe(false);
    expect(refused(policy, '192.168.0.1', 'Hooks.Corp.Example.')).toBe(false);
    expect(refused(policy, '192.168.0.1', 'corp.example.evil')).toBe(true);
    expect(refused(policy, '8.8.8.8')).toBe(false);
  });

  test('deny wins over allow; allowOnly closes the rest', () => {
    const policy = createPolicy({
      allowPrivate: true,
      allow: ['203.0.113.0/24', '169.254.169.254'],
      deny: ['203.0.113.7', 'evil.example'],
      allowOnly: true,
    });
    expect(policy.refusal('203.0.113.7', '203.0.113.7')).toMatch(/deny list/);
    expect(policy.refusal('evil.example', '203.0.113.8')).toBe('evil.example (203.0.113.8) is on the deny list');
    expect(policy.refusal('x.example', '203.0.113.8')).toBeNull();
    expect(policy.refusal('169.254.169.254', '169.254.169.254')).toBeNull();
    expect(policy.refusal('8.8.8.8', '8.8.8.8')).toMatch(/not on the allow list/);
  });
});
