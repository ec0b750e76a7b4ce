import type { ReferencedRecord } from '@paddock/contract';
import type { Database } from '@paddock/database';
import type { ReferenceCounter } from '@paddock/peers';
import type { Access, Call, Route } from '@paddock/service';
import type { z } from 'zod';
import type { CrudTable, Identified } from './crud-table.ts';

export interface CrudSetup<Deps, Schema> {
	readonly tag: string;
	/** The office writes. */
	readonly access: { readonly read: Access; readonly write: Exclude<Access, 'public'> };
	readonly cacheControl: Readonly<Record<'list' | 'record', Route<never>['cacheControl'] & {}>>;
	readonly db: (deps: Deps) => Database<Schema>;
	/** Counts the references of other contexts; called only for records that declare `referencedAs`. */
	readonly referenceCounter?: (deps: Deps) => ReferenceCounter;
}

/** What is special about the routes of one kind of record. */
export interface CrudRoutesDeclaration<
	Deps,
	Schema,
	Rec extends Identified,
	Body,
	Query,
	Parent extends string,
> {
	/** Path of the collection; `{id}` in it is the parent's. */
	readonly path: `/${string}`;
	/** The name of the path parameter for the record: `id`, unless that is the parent's. */
	readonly parameter?: string;
	readonly plural: string;
	readonly table: CrudTable<Schema, Rec, Body, Query, Parent>;
	readonly record: z.ZodType<Rec>;
	readonly body: z.ZodType<Body>;
	readonly replacing?: string;
	readonly deleting?: string;
	/** How other contexts refer to the record. While they do, it is not deleted, and keeps those codes. */
	readonly referencedAs?: (record: Rec) => ReferencedRecord;
	/** Runs before the transaction of a creation or replacement (`stored`), but not for one repeated with its Idempotency-Key. */
	readonly check?: (deps: Deps, body: Body, stored: Rec | undefined, request: Call) => Promise<void>;
}

/** `age class` → `Age class` */
export function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `age class` → `AgeClass` */
export function pascalCase(words: string): string {
	return words.split(' ').map(sentence).join('');
}

/** `age class` → `an age class` */
export function withArticle(noun: string): string {
	return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
