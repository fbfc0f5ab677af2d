/**
 * Results as text, tables and JSON; start with {@link dev.sotto.evaluation.text.GuaranteeFigures}.
 */
package dev.sotto.evaluation.text;
