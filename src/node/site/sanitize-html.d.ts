/**
 * The part of sanitize-html that the site uses. Its published types have syntax that tslab's TypeScript cannot read, and a
 * compiler reads all types that are installed.
 */
declare module "sanitize-html" {
  type Lists = Readonly<Record<string, readonly string[]>>;
  export interface IOptions {
    readonly allowedTags?: readonly string[];
    readonly allowedAttributes?: Lists;
    readonly allowedSchemes?: readonly string[];
    readonly allowedSchemesByTag?: Lists;
    readonly allowProtocolRelative?: boolean;
    readonly allowedStyles?: Readonly<Record<string, Readonly<Record<string, readonly RegExp[]>>>>;
  }
  function sanitizeHtml(html: string, options?: IOptions): string;
  namespace sanitizeHtml {
    const defaults: { readonly allowedTags: readonly string[] };
  }
  export default sanitizeHtml;
}
