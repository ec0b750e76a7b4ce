import { demoPassword, demoSignIns } from '@paddock/demo';
import type { OpenapiDocument } from '../../openapi-document.ts';
import { type Folder, folders } from './folders.ts';
import { type CollectionOperation, operationsOf } from './operation.ts';
import { planFolder } from './plan-folder.ts';
import { bearer, postmanItem, script } from './postman-item.ts';
import { signInScript } from './sign-in-script.ts';

const description = `Every operation of the gateway, in an order that runs from top to bottom and can be repeated.

Set \`baseUrl\`, \`adminEmail\` and \`adminPassword\` in the environment. Every request inherits the administrator's token, and the
first one signs in. The requests of *Try by hand* read the demo data and work in any order. A run of the collection creates its own
records and deletes them at the end; the account that it registers remains, closed.`;

export function collectionText(document: OpenapiDocument): string {
	const operations = operationsOf(document);
	const shown = new Set<string>();
	const item = folders.flatMap((folder) => folderOf(folder, operations, shown));
	return text({
		info: {
			name: 'Paddock',
			description,
			schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
		},
		auth: bearer('adminToken'),
		event: [script('prerequest', signInScript)],
		item,
		variable: [],
	});
}

/** @param shown the operations whose example response is in the collection already */
function folderOf(
	folder: Folder,
	operations: readonly CollectionOperation[],
	shown: Set<string>,
): readonly object[] {
	const planned = planFolder(folder, operations);
	if (planned.length === 0) return [];
	const item = planned.map((step) => {
		const { operationId } = step.operation;
		const isFirst = !shown.has(operationId);
		shown.add(operationId);
		return postmanItem(step, isFirst);
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
