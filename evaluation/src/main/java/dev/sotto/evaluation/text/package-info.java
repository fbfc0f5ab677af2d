/**
 * Results as text, tables and JSON; start with {@link
 * dev.sotto.evaluation.text.TextRenderer}.
 */
package dev.sotto.evaluation.text;
