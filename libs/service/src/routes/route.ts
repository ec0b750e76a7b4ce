import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDefinition } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { Response } from 'express';
import { z } from 'zod';
import { idParameters } from '../fields/schemas.ts';
import type { TextBody } from '../http/json-body.ts';
import type { Access } from './access.ts';
import type { Preconditions } from './conditions.ts';
import type { Deprecation } from './deprecation.ts';
import {
	type Readers,
	type ReadersDeclaration,
	type ReadersPart,
	type RequireActive,
	type Writers,
	withReaders,
	withWriters,
} from './readers-and-writers.ts';
import { requirePublic, type SharedFreshness } from './shared-freshness.ts';
import { serverOwnedFields, type Update } from './update.ts';

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A schema for an object of path or query parameters; its values arrive as strings. */
export type ParameterSchema = z.ZodObject;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The parameters of a path: as declared, or those of a path with `{id}`. */
type PathParameters<Params, Path> = Params extends z.ZodType
	? z.output<Params>
	: Path extends `${string}/{id}` | `${string}/{id}/${string}`
		? z.output<typeof idParameters>
		: undefined;

interface RouteRequest<Params, Query, Body, Who> {
	readonly params: Params;
	readonly query: Query;
	readonly body: Body;
	readonly principal: Who;
	/** The media type that the caller prefers: the route's own or its `alternative`. */
	readonly accepted: string;
	/** From `If-Match` and `If-None-Match`. Check them with `requireVersion` while the row is locked. */
	readonly preconditions: Preconditions;
	/** From `Idempotency-Key`, if the route is idempotent. */
	readonly idempotencyKey: string | undefined;
	/** Checks the writer of an idempotent route, see `writers`; `once` calls it. */
	readonly requireWriter?: () => Promise<void>;
	readonly requestId: string;
	/** The trace context of the request, for calls on its behalf. */
	readonly traceparent: string;
	/** The client's address: the peer's, or the one forwarded by a trusted proxy. */
	readonly address: string;
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	/** Aborted when the caller disconnects or its deadline passes. */
	readonly signal: AbortSignal;
	readonly now: Date;
	readonly log: Logger;
}

/** A request of a signed-in caller without its input: the caller, the time, the conditions and the abort signal. */
export type Call = Omit<RouteRequest<unknown, unknown, unknown, Principal>, 'params' | 'query' | 'body'>;

/** A call that changes fields of one record, which the path names. */
export interface UpdateCall<Body> extends Call {
	readonly params: { readonly id: string };
	readonly update: Update<Body>;
}

export interface RecordCall<Body = unknown> extends Call {
	readonly params: { readonly id: string };
	readonly body: Body;
}

/** Writes a response with its `Content-Type`, its `ETag` if one is declared, and for HEAD without a body. */
export type ResponseWriter = (res: Response) => void | Promise<void>;

/** Whether a public route reads a token; while tokens can't be verified, `true` fails with 503, `ifVerifiable` goes without. */
type TokenOptional = true | 'ifVerifiable';

/** Data, a writer of the response, or of a `document` its text in parts, which are written as the client reads them. */
type Written<Data> = Data | ResponseWriter | (Data extends string ? AsyncIterable<string> : never);

type Caller<A extends Access, Token extends TokenOptional | undefined> = A extends 'public'
	? Token extends TokenOptional
		? Principal | undefined
		: undefined
	: Principal;

/** The part of a declaration that is independent of the types of its schemas. */
interface RouteBasis {
	readonly method: RouteMethod;
	/** As in OpenAPI: `/api/masterdata/countries/{id}`. Literal segments take precedence over parameters. */
	readonly path: `/${string}`;
	readonly operationId: string;
	readonly tag: string;
	readonly summary: string;
	readonly description?: string;
	/** Optional request headers that the handler reads in addition to the standard ones, with their descriptions. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly writers?: Writers;
	/** True if a caller may use the route before the address is verified, e.g. to sign out; such a caller has no roles. */
	readonly unverifiedToo?: true;
	/** True for the two routes of `updatesWith`. */
	readonly updates?: true;
	/** 200 by default; 201 if the route creates something; 302 see `redirection`; 308 for a former address, see `movedRoute`. */
	readonly status?: 200 | 201 | 302 | 308;
	/** The route still works but will be removed; each of its responses says so. */
	readonly deprecated?: Deprecation;
	/** `version`: of the record, for `If-Match`; `content`: digest of the data; `shownVersion`: both. */
	readonly etag?: 'version' | 'content' | 'shownVersion';
	/** True if `If-Match` and `If-None-Match` are conditions of the change. */
	readonly precondition?: boolean;
	/** A header value, or, if public without a token, the freshness in shared caches, of which the gateway is one. */
	readonly cacheControl?: string | SharedFreshness;
	/** True if a read replica may serve it, and the primary on failure. Not with `Cache-Control: no-cache`. */
	readonly mayLag?: boolean;
	/** True if it may keep the database busy for seconds: few run at once, and they end when the caller leaves. */
	readonly heavy?: boolean;
	/** The media type of a response without an envelope, e.g. a JWK set. `anyMediaType` if it depends on the request. */
	readonly document?: string;
	/** A second media type of the response, which the handler writes if it is the accepted one. */
	readonly alternative?: string;
	/** The file name for downloads of the document, in plain ASCII. */
	readonly fileName?: string;
	/** True for a route polled every few seconds: its requests aren't logged. */
	readonly quiet?: boolean;
	/** The body is a text of this type, not JSON, and its schema that of a string; only below `/internal/`. */
	readonly textBody?: TextBody;
	/** True if the handler passes `idempotencyKey` to `once` of libs/database. Otherwise 201 routes refuse the header. */
	readonly idempotent?: boolean;
	/** The error codes of this route beyond those implied by the declaration. */
	readonly errors?: Readonly<Record<string, ErrorDefinition>>;
}

/** The complete declaration of one route; validation, authorisation, envelope and documentation are derived from it. */
interface RouteDeclaration<
	Deps,
	Params extends ParameterSchema | undefined,
	Query extends ParameterSchema | undefined,
	Body extends z.ZodType | undefined,
	Output extends z.ZodType,
	A extends Access,
	Token extends TokenOptional | undefined,
	Method extends RouteMethod = RouteMethod,
	Named extends Readers | undefined = undefined,
	Viewer = unknown,
	Path extends RouteBasis['path'] = RouteBasis['path'],
> extends Omit<RouteBasis, 'tag' | 'method' | 'writers' | 'path'> {
	readonly path: Path;
	readonly method: Method;
	readonly access: A;
	/** For a public route that returns more data to some callers with a token; without it no token is read. */
	readonly tokenOptional?: Token;
	/** Refuses callers of a public route without another proof, before the body is read. @throws ApiError */
	readonly admit?: (headers: IncomingHttpHeaders, deps: Deps) => void;
	/** `idParameters` by default, of a path with `{id}`. */
	readonly params?: Params;
	readonly query?: Query;
	/** Must refuse unknown fields: use `z.strictObject`. */
	readonly body?: Body;
	readonly output: Output;
	readonly message: string | ((data: z.output<Output>) => string);
	/** Whether the data report something as unavailable: 503 with `success: false` and the same data. */
	readonly unavailableIf?: (data: z.output<Output>) => boolean;
	readonly location?: (data: z.output<Output>) => string;
	/** What the caller reads: see `Readers`, or a function whose result the handler gets as `viewer`. */
	readonly readers?:
		| Named
		| ((
				request: RouteRequest<PathParameters<Params, Path>, Parsed<Query>, Parsed<Body>, Caller<A, Token>>,
				deps: Deps,
		  ) => Viewer);
	readonly handler: (
		request: HandledRequest<
			PathParameters<Params, Path>,
			Parsed<Query>,
			Parsed<Body>,
			Caller<A, Token>,
			Named,
			Viewer
		>,
		deps: Deps,
	) => Promise<Written<z.output<Output>>> | Written<z.output<Output>>;
}

type HandledRequest<Params, Query, Body, Who, Named, Viewer> = Omit<
	RouteRequest<Params, Query, Body, Who>,
	'principal'
> &
	ReadersPart<Named, Viewer, Who>;

/** Whether a request may come without a body: its schema is declared so. One of any value is not. */
export function isBodyOptional(body: z.ZodType): boolean {
	return body instanceof z.ZodOptional || body instanceof z.ZodDefault;
}

/** A declaration with erased types, for lists of routes. */
export interface Route<Deps> extends RouteBasis {
	readonly access: Access;
	readonly tokenOptional?: TokenOptional | undefined;
	readonly admit?: (headers: IncomingHttpHeaders, deps: Deps) => void;
	readonly readers?: Readers | ((request: never, deps: never) => unknown) | undefined;
	readonly params?: ParameterSchema | undefined;
	readonly query?: ParameterSchema | undefined;
	readonly body?: z.ZodType | undefined;
	readonly output: z.ZodType;
	readonly message: string | ((data: never) => string);
	readonly unavailableIf?: (data: never) => boolean;
	readonly location?: (data: never) => string;
	readonly handler: (request: never, deps: Deps) => unknown;
}

/** `const route = routesWith<MasterdataDeps>('masterdata')`. `requireActive` checks the writers that are active members. */
export function routesWith<Deps>(tag: string, requireActive?: RequireActive<Deps>) {
	return <
		const A extends Access,
		Output extends z.ZodType,
		Params extends ParameterSchema | undefined = undefined,
		Query extends ParameterSchema | undefined = undefined,
		Body extends z.ZodType | undefined = undefined,
		Token extends TokenOptional | undefined = undefined,
		const Method extends RouteMethod = RouteMethod,
		const Named extends Readers | undefined = undefined,
		Viewer = unknown,
		const Path extends RouteBasis['path'] = RouteBasis['path'],
	>(
		declaration: RouteDeclaration<Deps, Params, Query, Body, Output, A, Token, Method, Named, Viewer, Path> &
			ReadersDeclaration<Method, A, Token>,
	): Route<Deps> => {
		requirePublic(declaration);
		const declared = { tag, ...withParameters(declaration) } as unknown as Route<Deps>;
		return withReaders<Deps, Route<Deps>>(withWriters<Deps, Route<Deps>>(declared, requireActive));
	};
}

/** @throws TypeError for a path with parameters that are not declared */
function withParameters<Declared extends { readonly path: string; readonly params?: unknown }>(
	declaration: Declared,
): Declared {
	const names = [...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	if (declaration.params !== undefined || names.length === 0) return declaration;
	if (String(names) !== 'id')
		throw new TypeError(`${declaration.path} has parameters that are not declared.`);
	return { ...declaration, params: idParameters };
}

type UpdateRequest<Params, Query, Body, Who> = Omit<RouteRequest<Params, Query, unknown, Who>, 'body'> & {
	readonly update: Update<Body>;
};

/** The declaration of the two routes that change a record; `operationId` is that of PUT. */
interface UpdateDeclaration<
	Deps,
	Params extends ParameterSchema | undefined,
	Query extends ParameterSchema | undefined,
	Body extends z.ZodType,
	Output extends z.ZodType,
	A extends Access,
	Path extends RouteBasis['path'],
> extends Omit<
		RouteDeclaration<Deps, Params, Query, Body, Output, A, undefined>,
		'method' | 'readers' | 'precondition' | 'handler' | 'status' | 'idempotent' | 'path'
	> {
	readonly path: Path;
	readonly writers: Writers;
	/** An object; the body may repeat the other fields of the output, because clients send back what they read. */
	readonly body: Body;
	readonly handler: (
		request: UpdateRequest<PathParameters<Params, Path>, Parsed<Query>, z.output<Body>, Caller<A, undefined>>,
		deps: Deps,
	) => Promise<z.output<Output>>;
}

/** The function that declares PUT and PATCH of a record: both change the named fields with one handler (decision 0053). */
export function updatesWith<Deps>(tag: string, requireActive?: RequireActive<Deps>) {
	return <
		const A extends Access,
		Output extends z.ZodType,
		Body extends z.ZodType,
		Params extends ParameterSchema | undefined = undefined,
		Query extends ParameterSchema | undefined = undefined,
		const Path extends RouteBasis['path'] = RouteBasis['path'],
	>(
		declaration: UpdateDeclaration<Deps, Params, Query, Body, Output, A, Path>,
	): readonly Route<Deps>[] => {
		const shared = { tag, ...withParameters(declaration), updates: true, precondition: true } as const;
		serverOwnedFields(shared); // Throws for schemas that have no fields.
		const description = [declaration.description, howFieldsChange].filter((text) => text !== undefined);
		const noun = declaration.operationId.replace(/^[a-z]+/, '');
		const both: readonly Route<Deps>[] = [
			{ ...shared, description: description.join(' '), method: 'put' },
			{ ...shared, description: description.join(' '), method: 'patch', operationId: `patch${noun}` },
		];
		return both.map((one) => withWriters<Deps, Route<Deps>>(one, requireActive));
	};
}

const howFieldsChange =
	'Only the fields in the body change: an omitted one stays, null clears it, objects are merged and lists replaced. Without `If-Match` a field that another request changes at the same time is refused with CONFLICT.';

/** The `document` of a route whose responses have several media types, e.g. files. */
export const anyMediaType = '*/*';

type Representations = Pick<Route<never>, 'document' | 'alternative'>;
type MediaTypes = [string, ...string[]];

/** The media types of a route's response, without parameters: its own, then its `alternative`. */
export function mediaTypesOf({ document = 'application/json', alternative }: Representations): MediaTypes {
	return alternative === undefined ? [bare(document)] : [bare(document), bare(alternative)];
}

/** The same with all parameters: a range of `Accept` with a parameter needs a type with it (RFC 9110 §12.5.1). */
export function offeredTypesOf({ document = 'application/json', alternative }: Representations): string[] {
	const types = alternative === undefined ? [document] : [document, alternative];
	return types.map((type) => `${type}; charset=utf-8`);
}

function bare(type: string): string {
	return type.split(';', 1)[0] ?? type;
}
