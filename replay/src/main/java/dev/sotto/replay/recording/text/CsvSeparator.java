package dev.sotto.replay.recording.text;

import java.io.IOException;
import java.io.InputStream;

/**
 * What stands between the cells of a file: of comma, semicolon, tab and | the one that stands
 * most often in the row of names, outside quotes. Where there is none, or several stand equally
 * often, the first of these.
 */
final class CsvSeparator {
  private static final String CANDIDATES = ",;\t|";
  private static final int LONGEST = 1 << 20; // of a row of names, in bytes

  private CsvSeparator() {}

  /**
   * Looks at the row of names, and goes back to where it was.
   *
   * @param in a stream that can go back
   */
  static char of(InputStream in) throws IOException {
    in.mark(LONGEST);
    int[] counts = new int[CANDIDATES.length()];
    boolean quoted = false;
    boolean begun = false;
    int read = in.read();
    for (int i = 1; i < LONGEST && read >= 0; i++) {
      if (read == '"') {
        quoted = !quoted;
      } else if (!quoted && (read == '\n' || read == '\r')) {
        if (begun) {
          break;
        }
      } else if (!quoted && CANDIDATES.indexOf(read) >= 0) {
        counts[CANDIDATES.indexOf(read)]++;
      }
      begun |= read != '\n' && read != '\r';
      read = in.read();
    }
    in.reset();
    in.mark(0); // it may forget what has been read from now on
    int best = 0;
    for (int i = 1; i < counts.length; i++) {
      best = counts[i] > counts[best] ? i : best;
    }
    return CANDIDATES.charAt(best);
  }
}
