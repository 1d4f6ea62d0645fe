import ts from "typescript";

/** Tables whose every text is shown in the user's language, beside the tables of MessageTemplate. */
const TEXT_TABLES = new Set([
  "CONFIG_PROBLEMS",
  "ENGLISH_ANSWER_TEXTS",
  "IMPORT_NOTES",
  "LAUNCH_RISKS",
  "PLACEHOLDER_HINTS",
]);

/**
 * The English texts that a source translates: the first argument of `t(…)` and `l10n.t(…)`, the texts of message
 * tables, and templates that stand alone. `unknown` lists the calls whose text could not be read off the source.
 *
 * @returns {{ texts: string[], unknown: string[] }}
 */
export function collectTexts(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true);
  const texts = [];
  const unknown = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && isTranslateCall(node.expression)) {
      const found = literalsOf(node.arguments[0]);
      if (found === undefined) unknown.push(`${file}: ${node.getText(tree).slice(0, 80)}`);
      else texts.push(...found);
    } else if (isMessageTable(node, tree)) {
      texts.push(...tableTexts(node));
    } else if (isTemplate(node)) {
      texts.push(...(literalsOf(node.initializer) ?? []));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { texts: texts.filter(hasWords), unknown };
}

/** The names in braces, sorted: what a translation has to mention too. */
export function placeholdersOf(text) {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
}

function isTranslateCall(callee) {
  if (ts.isIdentifier(callee)) return callee.text === "t";
  return (
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === "t" &&
    !ts.isNumericLiteral(callee.expression)
  );
}

/** The texts that an expression can be, or undefined when it is made at run time. */
function literalsOf(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [literalsOf(node.whenTrue), literalsOf(node.whenFalse)];
    return yes === undefined || no === undefined ? undefined : [...yes, ...no];
  }
  if (ts.isObjectLiteralExpression(node)) {
    const message = node.properties.find((each) => each.name?.getText() === "message");
    return message?.initializer === undefined ? undefined : literalsOf(message.initializer);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalsOf(node.left), literalsOf(node.right)];
    return left?.length === 1 && right?.length === 1 ? [left[0] + right[0]] : undefined;
  }
  return undefined;
}

function isMessageTable(node, tree) {
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return false;
  if (ts.isIdentifier(node.name) && TEXT_TABLES.has(node.name.text)) return true;
  const type = ts.isSatisfiesExpression(node.initializer) ? node.initializer.type : node.type;
  return type?.getText(tree).includes("MessageTemplate") === true;
}

/** A `template` that stands outside of a table: its owner hands it on, and the host translates it. */
function isTemplate(node) {
  return ts.isPropertyAssignment(node) && node.name.getText() === "template";
}

/** Every text below a table, whatever its shape. Keys are not texts. */
function tableTexts(table) {
  const texts = [];
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isPropertyAssignment(node)) visit(node.initializer);
    else if (ts.isBinaryExpression(node)) texts.push(...(literalsOf(node) ?? []));
    else if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else ts.forEachChild(node, visit);
  };
  visit(table.initializer);
  return texts;
}

/** A text of nothing but placeholders has nothing to translate. */
function hasWords(text) {
  return /\p{L}/u.test(text.replace(/\{\w+\}/g, ""));
}
