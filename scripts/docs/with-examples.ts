import { type ExampleSchema, exampleOf } from './example-of.ts';

interface MediaType {
	schema?: ExampleSchema;
	example?: unknown;
	examples?: unknown;
}

interface Body {
	content?: Record<string, MediaType>;
}

interface Operation {
	summary?: string;
	description?: string;
	requestBody?: Body;
	responses: Record<string, Body>;
}

export interface Documented {
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, ExampleSchema> };
}

/**
 * Gives each body, asked for and answered, an example, so that a reader sees one and the collection has something to
 * send. Failures bring theirs along. A success tells the operation's own message.
 */
export function withExamples<Document extends Documented>(document: Document): Document {
	const { schemas } = document.components;
	const paths = Object.entries(document.paths).map(([path, item]) => [
		path,
		Object.fromEntries(
			Object.entries(item).map(([method, operation]) => [method, exampleOperation(operation, schemas)]),
		),
	]);
	return { ...document, paths: Object.fromEntries(paths) };
}

function exampleOperation(operation: Operation, schemas: Record<string, ExampleSchema>): Operation {
	const responses = Object.entries(operation.responses).map(([status, response]) => [
		status,
		exampleBody(response, schemas, (response as { description?: string }).description),
	]);
	return {
		...operation,
		// Swagger UI and Postman show nothing where there is only a summary.
		description: operation.description ?? `${operation.summary}.`,
		...(operation.requestBody === undefined
			? {}
			: { requestBody: exampleBody(operation.requestBody, schemas) }),
		responses: Object.fromEntries(responses),
	};
}

function exampleBody(body: Body, schemas: Record<string, ExampleSchema>, message?: string): Body {
	if (body.content === undefined) return body;
	const content = Object.entries(body.content).map(([type, media]) => [
		type,
		exampleMedia(media, schemas, message),
	]);
	return { ...body, content: Object.fromEntries(content) };
}

function exampleMedia(
	media: MediaType,
	schemas: Record<string, ExampleSchema>,
	message: string | undefined,
): MediaType {
	if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return media;
	const example = exampleOf(media.schema, schemas);
	return {
		...media,
		example: isEnvelope(example) && message !== undefined ? { ...example, message } : example,
	};
}

function isEnvelope(example: unknown): example is { message: string } {
	return typeof example === 'object' && example !== null && 'success' in example && 'message' in example;
}
