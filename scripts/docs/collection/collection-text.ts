import { demoPassword, demoSignIns } from '@paddock/demo';
import type { Documented } from '../documented.ts';
import { convertedRequests } from './converted-requests.ts';
import { type Folder, folders } from './folders.ts';
import { type CollectionOperation, operationsOf } from './operation.ts';
import { planFolder } from './plan-folder.ts';
import { postmanItem } from './postman-item.ts';

const description = `Every operation of the gateway, in an order that runs from top to bottom and can be repeated.

Set \`baseUrl\`, \`adminEmail\` and \`adminPassword\` in the environment, then run the collection: it signs in, creates its own
records and deletes them at the end. The account that it registers remains, closed.`;

/** The text of postman/collection.json, from the document and its text. */
export async function collectionText(document: Documented, openapi: string): Promise<string> {
	const converted = await convertedRequests(openapi);
	const operations = operationsOf(document);
	const item = folders.flatMap((folder) => folderOf(folder, operations, converted));
	return text({
		info: {
			name: 'Paddock',
			description,
			schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
		},
		item,
		variable: [],
	});
}

function folderOf(
	folder: Folder,
	operations: readonly CollectionOperation[],
	converted: Awaited<ReturnType<typeof convertedRequests>>,
): readonly object[] {
	const planned = planFolder(folder, operations);
	if (planned.length === 0) return [];
	const item = planned.map((step) => {
		const { method, path } = step.operation;
		const request = converted.get(`${method} ${path}`);
		if (request === undefined) throw new TypeError(`The converter omitted ${method} ${path}.`);
		return postmanItem(step, request);
	});
	return [{ name: folder.name, description: folder.description, item }];
}

/** The text of postman/environment.json, with the public sign-in of the demo administrator. */
export function environmentText(): string {
	const administrator = demoSignIns.find(({ roles }) => roles.includes('ADMIN'));
	const values = [
		{ key: 'baseUrl', value: 'http://localhost:8080', type: 'default', enabled: true },
		{ key: 'adminEmail', value: administrator?.email ?? '', type: 'default', enabled: true },
		{ key: 'adminPassword', value: demoPassword, type: 'secret', enabled: true },
	];
	return text({ name: 'Paddock', values, _postman_variable_scope: 'environment' });
}

function text(content: object): string {
	return `${JSON.stringify(content, undefined, '\t')}\n`;
}
