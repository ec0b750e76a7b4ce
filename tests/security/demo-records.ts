import type { OpenapiDocument } from '../../scripts/openapi-document.ts';
import { api, tokens } from './demo-system.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * The addresses of a document's GETs with the ids of demo records: `/api/horses/{id}/pedigree` with that of a listed horse.
 * Those of a collection without a record are left out.
 */
export async function recordPaths({ paths }: Pick<OpenapiDocument, 'paths'>): Promise<readonly string[]> {
	const token = tokens.get('admin') ?? '';
	const first = new Map<string, string | undefined>();
	const idOf = async (collection: string): Promise<string | undefined> => {
		if (!first.has(collection)) {
			// Events of the past are closed.
			const list = collection === '/api/events' ? `${collection}?status=REGISTRATION_OPEN` : collection;
			const { data } = await api<{ items?: readonly Item[] }>('GET', list, { token });
			first.set(collection, data?.items?.[0]?.['id'] as string | undefined);
		}
		return first.get(collection);
	};
	const filled: string[] = [];
	for (const [path, item] of Object.entries(paths)) {
		if (
			item['get'] === undefined ||
			['302', '308'].some((status) => item['get']?.responses[status] !== undefined)
		)
			continue;
		let address = '';
		let isComplete = true;
		for (const part of path.slice(1).split('/')) {
			const isId = /^\{\w*[iI]d\}$/.test(part);
			const id: string | undefined = isId && isComplete ? await idOf(address) : part;
			isComplete &&= id !== undefined && (isId || !part.startsWith('{'));
			address += `/${id}`;
		}
		if (isComplete) filled.push(`${address}${requiredQuery(path)}`);
	}
	return filled;
}

function requiredQuery(path: string): string {
	if (path.endsWith('/search')) return '?q=an';
	return path.endsWith('/applicable') ? '?birthDate=2010-05-01' : '';
}
