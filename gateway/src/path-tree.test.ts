import { expect, test } from '@jest/globals';
import { createPathTree } from './path-tree.ts';

const pathOf = createPathTree([
	'/api/horses',
	'/api/horses/{id}',
	'/api/horses/statistics',
	'/api/horses/{id}/owners',
	'/api/horses/statistics/{year}',
	'/.well-known/jwks.json',
]);

test.each([
	['/api/horses', '/api/horses'],
	['/api/horses/7c9e', '/api/horses/{id}'],
	['/api/horses/statistics', '/api/horses/statistics'],
	['/api/horses/statistics/2026', '/api/horses/statistics/{year}'],
	['/api/horses/statistics/owners', '/api/horses/statistics/{year}'],
	['/api/horses/7c9e/owners', '/api/horses/{id}/owners'],
	['/.well-known/jwks.json', '/.well-known/jwks.json'],
	['/api/horses/', undefined],
	['/api/horses//owners', undefined],
	['/api/horses/7c9e/owners/1', undefined],
	['/api', undefined],
	['/__proto__', undefined],
])('the declared path of %s is %s', (address, path) => {
	expect(pathOf(address)).toBe(path);
});

test('a literal that leads nowhere does not hide the parameter beside it', () => {
	const of = createPathTree(['/a/{x}/c', '/a/b/d']);
	expect(of('/a/b/c')).toBe('/a/{x}/c');
});
