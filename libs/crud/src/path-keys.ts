import { id } from '@paddock/service';
import { z } from 'zod';
import type { ParentKey, RecordKey } from './crud-table.ts';

type Parameters = Readonly<Record<string, string>>;

/** The parameters of a collection (undefined without a parent) and of its records, and the columns that they select. */
export function pathKeys<Parent extends string>(parameter: string, parent: Parent | undefined) {
	const parentOf = (params: Parameters | undefined) =>
		// Without a parent the type has no columns either.
		(parent === undefined ? {} : { [parent]: params?.['id'] }) as ParentKey<Parent>;
	const parentParameters: Record<string, typeof id> = parent === undefined ? {} : { id };
	return {
		collection: parent === undefined ? undefined : z.strictObject(parentParameters),
		record: z.strictObject({ ...parentParameters, [parameter]: id }),
		parentOf,
		recordOf: (params: Parameters) => ({ ...parentOf(params), id: params[parameter] }) as RecordKey<Parent>,
		/** The address of the collection that holds the record. */
		pathOf: (path: string, record: object) =>
			parent === undefined ? path : path.replace('{id}', String(Reflect.get(record, parent))),
	};
}
