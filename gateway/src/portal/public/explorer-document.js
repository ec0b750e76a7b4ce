import { freshBody } from './fresh-examples.js';

const mediaType = 'application/json';

/**
 * Plugin for Swagger UI, which shows no `x-error-codes`, sends the examples of optional parameters, and repeats what any operation
 * may respond under each. It parses the document as JSON, which Swagger UI would parse as YAML.
 */
export function explorerDocument() {
	const parseToJson = (_original, system) => (text) =>
		system.specActions.updateJsonSpec(shownDocument(JSON.parse(text)));
	return { statePlugins: { spec: { wrapActions: { parseToJson } } } };
}

/** The codes that any operation may respond with, as `[code, text]`. */
export function genericCodes({ components, 'x-error-codes': errors }) {
	return (components.responses.AnyFailure?.['x-error-codes'] ?? []).map((code) => [
		code,
		messagesOf(errors[code]),
	]);
}

function shownDocument(document) {
	const { components } = document;
	const shown = {
		...document,
		components: {
			...components,
			parameters: mapValues(components.parameters ?? {}, (parameter) => unfilled(parameter, components)),
		},
	};
	return {
		...shown,
		paths: mapValues(document.paths, (item) =>
			mapValues(item, (operation) => shownOperation(operation, document)),
		),
	};
}

function shownOperation(operation, document) {
	const { parameters = [], requestBody } = operation;
	return {
		...operation,
		parameters: parameters.map((parameter) =>
			parameter.$ref === undefined ? unfilled(parameter, document.components) : parameter,
		),
		...(requestBody === undefined ? {} : { requestBody: freshRequestBody(requestBody, document.components) }),
		responses: describedResponses(operation, document),
	};
}

/** An optional parameter says its example, but is not filled in with it. */
function unfilled(parameter, { schemas }) {
	if (parameter.required) return parameter;
	const { example: ownExample, examples: _examples, ...rest } = parameter;
	const schema = resolved(parameter.schema, schemas);
	const { example = ownExample, default: fallback, ...plain } = schema;
	const hints = [
		fallback === undefined ? '' : `Default: \`${textOf(fallback)}\`.`,
		example === undefined ? '' : `Example: \`${textOf(example)}\`.`,
	];
	const description = [rest.description ?? '', ...hints].filter((text) => text !== '').join(' ');
	return {
		...rest,
		description,
		schema: example === undefined && fallback === undefined ? parameter.schema : plain,
	};
}

function textOf(value) {
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Without references, as far as an example or a default may be behind them. */
function resolved(schema = {}, schemas) {
	if (schema.$ref !== undefined) return resolved(schemas[schema.$ref.split('/').at(-1)], schemas);
	const { allOf, ...own } = schema;
	return allOf?.length === 1 ? { ...resolved(allOf[0], schemas), ...own } : schema;
}

function freshRequestBody(requestBody, components) {
	const media = requestBody.content?.[mediaType];
	const schema = resolved(media?.schema, components.schemas);
	const templates = schema['x-fresh-example'];
	if (templates === undefined || schema.example === undefined) return requestBody;
	const example = freshBody(schema.example, templates);
	return { ...requestBody, content: { ...requestBody.content, [mediaType]: { ...media, example } } };
}

/** Plugin for Swagger UI: once a body was sent, what must be new for each record is filled in anew. */
export function freshAfterSending() {
	const filled = new Map();
	const setResponse = (original, system) => (path, method, response) => {
		const result = original(path, method, response);
		const text = system.oas3Selectors.requestBodyValue(path, method);
		const media = system.specSelectors
			.specJson()
			.getIn(['paths', path, method, 'requestBody', 'content', mediaType]);
		const templates = templatesOf(media?.toJS(), system);
		if (templates === undefined || typeof text !== 'string' || !(response.ok || response.status === 409))
			return result;
		try {
			const key = `${method} ${path}`;
			const body = JSON.parse(text);
			const next = freshBody(body, templates, filled.get(key) ?? media.get('example').toJS());
			filled.set(key, next);
			system.oas3Actions.setRequestBodyValue({
				value: JSON.stringify(next, undefined, 2),
				pathMethod: [path, method],
			});
		} catch {
			// The user has written something else.
		}
		return result;
	};
	return { statePlugins: { spec: { wrapActions: { setResponse } } } };
}

function templatesOf(media, { specSelectors }) {
	const { components } = specSelectors.specJson().toJS();
	return media && resolved(media.schema, components.schemas)['x-fresh-example'];
}

/** Each failure with the codes of its status; those of any operation are told once, see `genericCodes`. */
function describedResponses(operation, { 'x-error-codes': errors }) {
	return mapValues(operation.responses, (response, status) => {
		if (status === 'default') return { description: 'Failures of any operation, see Conventions.' };
		const codes = (operation['x-error-codes'] ?? []).filter(
			(code) => errors[code]?.status === Number(status),
		);
		if (response.$ref === undefined || codes.length === 0) return response;
		return { description: codes.map((code) => `\`${code}\`: ${messagesOf(errors[code])}`).join('\n\n') };
	});
}

function messagesOf({ message, otherMessages = [] }) {
	return [message, ...otherMessages].join(' *or* ');
}

function mapValues(object, change) {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
