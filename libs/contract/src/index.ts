export { type BaseDto, errorEnvelope, successEnvelope } from './base-dto.ts';
export type { CollectionStep, ContextCollection } from './collection-step.ts';
export { accountSteps, becomes } from './collection-steps.ts';
export {
	apiError,
	type CommonErrorCode,
	commonErrors,
	refuseInvalid,
	sharedErrors,
} from './common-errors.ts';
export type { ContextDescription } from './context-description.ts';
export {
	ApiError,
	type ApiErrorOptions,
	type ErrorDefinition,
	errorFactory,
	errorPicker,
	errorTable,
	type FieldError,
	type FieldErrorCode,
	fieldErrorCodes,
} from './failure.ts';
export { type Page, type PageRequest, pageOf, type SortCriterion } from './pagination.ts';
export {
	type Reference,
	type ReferenceType,
	referencesPath,
	referencesScope,
	referenceTypes,
} from './reference.ts';
