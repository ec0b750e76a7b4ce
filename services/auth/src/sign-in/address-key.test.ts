import { expect, test } from '@jest/globals';
import { addressKey } from './address-key.ts';

test.each([
	['192.0.2.7', '192.0.2.7'],
	['::ffff:192.0.2.7', '192.0.2.7'],
	['::FFFF:192.0.2.7', '192.0.2.7'],
	['2001:db8:0:1:a:b:c:d', '2001:db8:0:1::/64'],
	['2001:0DB8:0000:0001::ffff', '2001:db8:0:1::/64'],
	['2001:db8:0:1::', '2001:db8:0:1::/64'],
	['2001:db8::1', '2001:db8:0:0::/64'],
	['::1', '0:0:0:0::/64'],
	['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
	['fe80::1%eth0', 'fe80:0:0:0::/64'],
	['', ''],
])('%s counts as %s', (address, key) => {
	expect(addressKey(address)).toBe(key);
});
