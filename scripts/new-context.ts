import { parseArgs } from 'node:util';
import { addContext } from './new-context/add-context.ts';
import { newContextNames } from './new-context/context-names.ts';

// `npm run new-context -- clinics [--record clinic]`: adds a complete context with one table to the project.
try {
	const { values, positionals } = parseArgs({
		options: { record: { type: 'string' } },
		allowPositionals: true,
	});
	const names = newContextNames(positionals, values.record);
	await addContext(names);
	console.log(
		`Made services/${names.context}. Next: npm run docs, npm run check, npm test -- services/${names.context}, npm start.`,
	);
} catch (error) {
	console.error(error instanceof TypeError ? error.message : error);
	process.exitCode = 1;
}
