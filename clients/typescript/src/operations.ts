import type { paths } from './contract.generated.ts';

// Types of the calls, derived from the generated contract.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Not offered: the client manages the session itself, see `signIn` and `signOut`. */
type SessionPath = '/auth/login' | '/auth/refresh' | '/auth/logout';

/** The paths with this method, as in openapi.yaml. */
export type PathOf<M extends Method> = {
	[P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[Exclude<keyof paths, SessionPath>];

export type Operation<M extends Method, P> = P extends keyof paths ? paths[P][M] : never;

/** A record, for `If-Match`. */
export interface Versioned {
	readonly version: number;
}

/**
 * The input of an operation: `path`, `query`, `body`, and what its headers need. Distributes over operations: while an
 * editor has only part of a path, an intersection of unions would have thousands of members.
 */
export type Init<Op> = Op extends unknown
	? Parameters<Op> & Body<Op> & Precondition<Op> & Repetition<Op> & { signal?: AbortSignal }
	: never;

type Parameters<Op> = Op extends { parameters: infer P extends { path?: unknown; query?: unknown } }
	? Pick<P, 'path' | 'query'>
	: never;

type Body<Op> = Op extends { requestBody: { content: { 'application/json': infer B } } }
	? { body: B }
	: { body?: never };

type HasHeader<Op, Name extends string> = Op extends { parameters: { header?: { [N in Name]?: string } } }
	? Op extends { parameters: { header?: never } }
		? false
		: true
	: false;

type Precondition<Op> =
	HasHeader<Op, 'If-Match'> extends true
		? {
				/** The record as you read it: the call fails with PRECONDITION_FAILED if it has changed since. `'any'` overwrites. */
				ifMatch: Versioned | 'any';
			}
		: { ifMatch?: never };

type Repetition<Op> =
	HasHeader<Op, 'Idempotency-Key'> extends true
		? {
				/** Your own name for this call, if it must have no second effect even after a restart. By default a random one. */
				idempotencyKey?: string;
			}
		: { idempotencyKey?: never };

/** The arguments after the path; none are needed if all of the input is optional. */
export type InitArguments<I> = Partial<I> extends I ? [init?: I] : [init: I];

/** The data of a success: without the envelope if there is one. */
export type Data<Op> = Op extends { responses: infer R }
	? DataOf<ContentOf<R[keyof R & (200 | 201)]>>
	: never;
type ContentOf<R> = R extends { content: infer C } ? C[keyof C] : never;
type DataOf<Body> = Body extends { success: true; data: infer D } ? D : Body;

export type Call<M extends Method> = <P extends PathOf<M>>(
	path: P,
	...init: InitArguments<Init<Operation<M, P>>>
) => Promise<Data<Operation<M, P>>>;

/** One page of a list. */
export type PageOf<Op> = Extract<Data<Op>, { items: unknown[]; pagination: { hasNext: boolean } }>;

/** The paths of lists. */
export type ListPath = {
	[P in PathOf<'get'>]: PageOf<Operation<'get', P>> extends never ? never : P;
}[PathOf<'get'>];

/** Input of a list; the client follows the cursors. */
export type ListInit<Op> = Op extends unknown
	? Omit<Init<Op>, 'query'> & { query?: Omit<NonNullable<Query<Op>>, 'page' | 'limit' | 'offset' | 'cursor'> }
	: never;
type Query<Op> = Op extends { parameters: { query?: infer Q } } ? Q : never;

/** Iterates over a list with `for await`. */
export type ListCall<Yield extends 'pages' | 'items'> = <P extends ListPath>(
	path: P,
	...init: InitArguments<ListInit<Operation<'get', P>>>
) => AsyncGenerator<
	Yield extends 'pages' ? PageOf<Operation<'get', P>> : PageOf<Operation<'get', P>>['items'][number],
	void,
	void
>;
