package dev.sotto.replay.recording.text;

import dev.sotto.serdes.record.ExampleCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A label and {@code index:value} pairs a line, indices from 1 and increasing; {@code #} begins a
 * comment. Each line becomes a sparse Example, index 1 being coordinate 0, which {@code
 * events.format: example} reads.
 */
final class LibsvmLines implements TextSource {
  private static final Pattern BLANKS = Pattern.compile("[ \\t]+");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
  private static final int LONGEST_INDEX = 9;

  private final TextLines lines;
  private final boolean signed;

  /**
   * Lines of a stream.
   *
   * @param signed whether labels are -1, 0 or 1, of which -1 is read as 0
   */
  LibsvmLines(InputStream in, boolean signed) {
    this.lines = new TextLines(in);
    this.signed = signed;
  }

  @Override
  public TextRecord next() throws IOException {
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      String text = new String(line, StandardCharsets.UTF_8);
      int comment = text.indexOf('#');
      text = (comment < 0 ? text : text.substring(0, comment)).strip();
      if (!text.isEmpty()) {
        return new TextRecord(null, 0, example(BLANKS.split(text)));
      }
    }
    return null;
  }

  private byte[] example(String[] words) throws MalformedTextException {
    double label = label(words[0]);
    int[] indices = new int[words.length - 1];
    double[] values = new double[words.length - 1];
    for (int i = 0; i < indices.length; i++) {
      String pair = words[i + 1];
      int colon = pair.indexOf(':');
      if (colon < 0) {
        throw new MalformedTextException(line(), "a pair must be index:value, but was " + pair);
      }
      indices[i] = index(pair.substring(0, colon)) - 1;
      if (i > 0 && indices[i] <= indices[i - 1]) {
        throw new MalformedTextException(
            line(),
            "indices must increase, but " + (indices[i] + 1) + " follows " + (indices[i - 1] + 1));
      }
      values[i] = number(pair.substring(colon + 1));
    }
    return ExampleCodec.encodeSparse(null, null, indices, values, label, 1);
  }

  private double label(String word) throws MalformedTextException {
    double label = number(word);
    if (!signed) {
      return label;
    }
    if (label != 1 && label != 0 && label != -1) {
      throw new MalformedTextException(
          line(),
          "the label must be -1, 0 or 1, but was " + word
              + "; for labels that are numbers or classes, read them as they are");
    }
    return label == 1 ? 1 : 0;
  }

  private int index(String word) throws MalformedTextException {
    boolean digits = !word.isEmpty()
        && word.length() <= LONGEST_INDEX
        && word.chars().allMatch(each -> each >= '0' && each <= '9');
    int index = digits ? Integer.parseInt(word) : 0;
    if (index < 1) {
      throw new MalformedTextException(
          line(), "an index must be a number from 1 on, but was " + word);
    }
    return index;
  }

  private double number(String word) throws MalformedTextException {
    double number = NUMBER.matcher(word).matches() ? Double.parseDouble(word) : Double.NaN;
    if (!Double.isFinite(number)) {
      throw new MalformedTextException(line(), "there must be a finite number, but was " + word);
    }
    return number;
  }

  @Override
  public long line() {
    return lines.number();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
