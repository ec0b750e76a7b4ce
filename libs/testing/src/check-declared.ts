import { envelopeOf, failureSchema, type Route } from '@paddock/service';
import { openApiDocument } from '@paddock/service/openapi';

/** An answer as it came over the wire. */
export interface ObservedAnswer {
	readonly method: string;
	/** With its query, as it was asked for. */
	readonly path: string;
	readonly status: number;
	readonly headers: Headers;
	readonly json: unknown;
}

/** What a service answers where none of its routes took the request. */
const unroutedStatuses = new Set([400, 404, 405]);

/**
 * Makes a function that compares an answer with the declaration of its route, and throws when a status isn't
 * documented or a body is not what the documented schema allows. It returns the route, undefined where none took the
 * request.
 */
export function checkDeclared<Deps>(
	routes: readonly Route<Deps>[],
): (answer: ObservedAnswer) => Route<Deps> | undefined {
	const document = openApiDocument({
		title: 'Under test',
		version: '0',
		description: '',
		tags: [],
		routes: routes as readonly Route<never>[],
		own: [],
	});
	const literalsFirst = [...routes].sort((a, b) => (a.path < b.path ? -1 : 1));
	return (answer) => {
		const [pathname = ''] = answer.path.split('?');
		const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
		const atPath = literalsFirst.filter((route) => pattern(route.path).test(pathname));
		const route = atPath.find(
			(candidate) => candidate.path === atPath[0]?.path && candidate.method === method,
		);
		const said = `${answer.method} ${answer.path} answered ${answer.status}`;
		if (route === undefined) {
			if (!unroutedStatuses.has(answer.status)) throw new Error(`${said}, and no route declares it.`);
			checkFailure(answer, said);
			return undefined;
		}
		const declared: unknown = document.paths?.[route.path]?.[route.method]?.responses?.[answer.status];
		if (declared === undefined) throw new Error(`${said}, which ${route.operationId} does not declare.`);
		if (answer.status === 304 || answer.method === 'HEAD') return route;
		if (answer.status >= 400) checkFailure(answer, said);
		else checkSuccess(answer, route, said);
		return route;
	};
}

function checkSuccess<Deps>(answer: ObservedAnswer, route: Route<Deps>, said: string): void {
	const schema = route.document === undefined ? envelopeOf(route.output) : route.output;
	const result = schema.safeParse(answer.json);
	if (!result.success) throw new Error(`${said}, but its body breaks the schema: ${result.error.message}`);
	if (route.location !== undefined && !answer.headers.has('Location'))
		throw new Error(`${said} without a Location.`);
}

function checkFailure(answer: ObservedAnswer, said: string): void {
	const result = failureSchema.safeParse(answer.json);
	if (!result.success)
		throw new Error(`${said}, but its body is no failure envelope: ${result.error.message}`);
	if (result.data.data.status !== answer.status)
		throw new Error(`${said}, but its body says another status.`);
}

function pattern(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
