/** Text files of one record a line. Start with {@link dev.sotto.serdes.text.LineReader}. */
package dev.sotto.serdes.text;
