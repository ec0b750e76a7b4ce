export {
	type DeliveryReport,
	DeliveryReportError,
	parseDeliveryReport,
	type ReportedRecipient,
} from './delivery-report.ts';
export {
	type FilledContent,
	fittedContent,
	type MailContent,
	type MailPart,
	mailContent,
	shortened,
	withSubjects,
} from './mail-content.ts';
export { dayRangeText, dayText, instantText } from './mail-dates.ts';
export {
	defineMail,
	exampleOf,
	type Language,
	languageOf,
	type MailDeclaration,
} from './mail-declaration.ts';
export {
	type MailRecipient,
	type MailRequest,
	mailAboutMax,
	mailReceipt,
	mailRecipientsMax,
	mailRequest,
	mailRequestsPath,
	mailsScope,
} from './mail-request.ts';
export { type Mailer, MailRefusedError, type OutgoingMail, openMailer } from './mailer.ts';
export { createMessageIds, digitsOf, type MessageIds } from './message-ids.ts';
export { type RenderedMail, renderMail } from './render-mail.ts';
