import type { ContextCollection } from '@paddock/contract';

/** Names are unique per run, so that the collection can be repeated. */
export const collection: ContextCollection = {
	steps: [
		{ operationId: 'createSpecimen', body: { name: 'Specimen {{run}}' } },
		{ operationId: 'patchSpecimen', body: { name: 'Renamed specimen {{run}}' } },
		{ operationId: 'listSpecimens', query: { q: '{{run}}', sort: 'name', page: '1', size: '20' } },
	],
};
