import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toyId } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const announced = ['@1767225600', 'Mon, 01 Feb 2027 00:00:00 GMT'];
const announcementOf = ({ headers }: { readonly headers: Headers }) => [
	headers.get('Deprecation'),
	headers.get('Sunset'),
];

test('a former address redirects with its query and announces its removal', async () => {
	const response = await toys.send('GET', `/former-toys/${toyId}?q=a%26b&q2=%C3%A4`);
	const location = `/toys/${toyId}?q=a%26b&q2=%C3%A4`;
	expect([response.status, response.headers.get('Location')]).toEqual([308, location]);
	expect(response.data).toEqual({ location });
	expect(announcementOf(response)).toEqual(announced);
});

test('refusals of a deprecated route announce its removal too; other routes announce nothing', async () => {
	const refused = await toys.send('GET', '/former-toys/first');
	expect([refused.status, ...announcementOf(refused)]).toEqual([400, ...announced]);
	expect(announcementOf(await toys.send('GET', `/toys/${toyId}`))).toEqual([null, null]);
});
