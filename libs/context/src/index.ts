export {
	type ContextOptions,
	type ContextParts,
	type DatabaseSettings,
	openContext,
} from './open-context.ts';
