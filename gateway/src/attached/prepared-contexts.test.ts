import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { patient } from '@paddock/testing';
import { contextsFileSchema } from '../contexts/contexts-file.ts';
import { parsedContract } from './fetch-contract.ts';
import { createPreparation } from './prepared-contexts.ts';

const turnMsMax = 250;

const named = (count: number, schema: (at: number) => object) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema(at)]));
const contract = (schema: object, schemas: object = {}) => {
	const content = { 'application/json': { schema } };
	const paths = { '/api/x': { post: { requestBody: { content }, responses: {} } } };
	return { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths, components: { schemas } };
};
const object = (properties: object) => ({ type: 'object', properties });

/** Milliseconds of processor time of this thread: other programs of the machine do not count. */
const cpuMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
};

// The patterns of a contract were compiled in one turn, and a document was checked and converted in one.
test.each<[string, object, RegExp]>([
	[
		'many patterns',
		contract(object(named(310, (at) => ({ pattern: `^[a-z]{1,30}(x${at}|y[0-9]{1,30}){1,9}$` })))),
		/^$/,
	],
	[
		'more patterns than can be compiled',
		contract(object(named(390, (at) => ({ pattern: `^[a-z]{1,30}(x${at}|y[0-9]{1,40}){1,20}$` })))),
		/patterns that are too large together/,
	],
	[
		'many large schemas',
		contract(
			object({}),
			named(20, () => object(named(390, () => ({ type: 'string', maxLength: 5 })))),
		),
		/^$/,
	],
	[
		'schemas that refer to each other',
		contract(
			object({}),
			named(100, (at) => object({ next: { $ref: `#/components/schemas/p${(at + 1) % 100}` } })),
		),
		/^$/,
	],
	[
		'large schemas that refer to each other',
		contract(
			object({}),
			named(19, (at) =>
				object({
					...named(390, () => ({ type: 'string' })),
					next: { $ref: `#/components/schemas/p${(at + 1) % 19}` },
				}),
			),
		),
		/p1?\d and 18 others refer to each other/,
	],
	[
		'a long chain of schemas',
		contract(
			object({}),
			named(3_000, (at) => object({ next: { $ref: `#/components/schemas/p${at + 1}` } })),
		),
		/.*/,
	],
	['a large list', contract({ type: 'string', enum: Array.from({ length: 100_000 }, String) }), /^$/],
	[
		'deep schemas',
		contract(Array.from({ length: 40 }).reduce<object>((inner) => object({ a: inner }), {})),
		/^$/,
	],
])(
	`a contract with %s takes no turn of the event loop for ${turnMsMax} ms`,
	async (_name, content, problem) => {
		const [entry] = contextsFileSchema.parse([
			{ name: 'x', prefix: '/api/x', service: 'x', validate: 'requests' },
		]);
		if (entry === undefined) throw new TypeError('There is no entry.');
		const text = JSON.stringify(content);
		let [longest, last, isRunning] = [0, 0, true];
		const measure = async (): Promise<void> => {
			while (isRunning) {
				await turn();
				const now = cpuMs();
				longest = Math.max(longest, now - last);
				last = now;
			}
		};
		last = cpuMs();
		const measured = measure();
		await wait(1);
		const prepared = createPreparation().prepare({
			entry,
			contract: { hash: '', content: parsedContract(text) },
		});
		const message = await prepared.then(
			() => '',
			(error: unknown) => String(error),
		);
		isRunning = false;
		await measured;
		expect(message).toMatch(problem);
		expect(longest).toBeLessThan(patient(turnMsMax));
	},
	60_000,
);
