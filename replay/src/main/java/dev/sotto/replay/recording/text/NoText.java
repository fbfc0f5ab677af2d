package dev.sotto.replay.recording.text;

import java.util.List;
import java.util.Optional;

/** Files that are no text, told by their first bytes, which no text begins with. */
public final class NoText {
  /** As many bytes tell. */
  public static final int BYTES = 6;

  private static final String UNPACK = "; unpack it first, or pack it with gzip";
  private static final String WRITE = "; write its rows as CSV, or as JSON lines";
  private static final List<NoText> KINDS = List.of(
      new NoText(
          "a zip archive, as those of Excel (.xlsx) are; unpack it, or save the table as CSV",
          'P',
          'K',
          3,
          4),
      new NoText("a table of an old Excel (.xls)" + WRITE, 0xD0, 0xCF, 0x11, 0xE0),
      new NoText("packed by zstd" + UNPACK, 0x28, 0xB5, 0x2F, 0xFD),
      new NoText("packed by xz" + UNPACK, 0xFD, '7', 'z', 'X', 'Z'),
      new NoText("packed by bzip2" + UNPACK, 'B', 'Z', 'h', -1, 0x31, 0x41),
      new NoText("packed by lz4" + UNPACK, 4, 0x22, 0x4D, 0x18),
      new NoText("a table of Parquet" + WRITE, 'P', 'A', 'R', '1', 0x15));

  private final String words;
  private final int[] start; // a negative one may be any

  private NoText(String words, int... start) {
    this.words = words;
    this.start = start;
  }

  /** What a file is that begins so, and what to do; empty where it may be text. */
  public static Optional<String> of(byte[] start) {
    return KINDS.stream().filter(each -> each.begins(start)).findFirst().map(each -> each.words);
  }

  private boolean begins(byte[] bytes) {
    for (int i = 0; i < start.length; i++) {
      if (i >= bytes.length || start[i] >= 0 && start[i] != (bytes[i] & 0xFF)) {
        return false;
      }
    }
    return true;
  }
}
