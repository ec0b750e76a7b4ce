import { demoPassword } from '@paddock/demo';
import { withoutMarks } from '@paddock/text';

/** The password of all demo accounts, and those of the examples in README, portal, openapi.yaml and the collection. */
const published = [
	demoPassword,
	'ein ruhiger Apfelschimmel',
	'three bales and a bucket',
	'a saddle on every peg',
].map(plain);

/** Whether a password contains a published one, in any case and with any characters between its words. */
export function isPublishedPassword(password: string): boolean {
	const given = plain(password);
	return published.some((each) => given.includes(each));
}

function plain(text: string): string {
	return withoutMarks(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
