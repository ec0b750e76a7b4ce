import { expect, test } from '@jest/globals';
import { isRedisUrl } from './redis-url.ts';

test.each([
	'redis://cache',
	'redis://cache:6379/',
	'redis://cache:6379/2',
	'redis://:secret@127.0.0.1:6379',
	'rediss://user:s%40cret@cache.example.org:6380/0',
	'redis://[::1]:6379',
])('%s is an address', (text) => {
	expect(isRedisUrl(text)).toBe(true);
});

test.each([
	'',
	'cache:6379',
	'http://cache:6379',
	'redis://',
	'redis:///1',
	'redis://cache:99999',
	'redis://cache/one',
	'redis://cache?password=secret',
	'redis://cache#1',
])('%j is refused', (text) => {
	expect(isRedisUrl(text)).toBe(false);
});
