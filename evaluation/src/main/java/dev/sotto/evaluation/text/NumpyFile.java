package dev.sotto.evaluation.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Arrays of numbers as NumPy stores them: version 1.0 of its format, doubles, row by row. */
public final class NumpyFile {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final int ALIGNMENT = 64;

  private NumpyFile() {}

  /**
   * Writes rows of one length.
   *
   * @param rows at least one
   */
  public static void write(Path file, double[][] rows) throws IOException {
    String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + rows.length + ", "
        + rows[0].length + "), }";
    int before = MAGIC.length + Short.BYTES;
    int least = before + header.length() + 1;
    int length = (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - before;
    ByteBuffer bytes = ByteBuffer.allocate(
            before + length + Double.BYTES * rows.length * rows[0].length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .putShort((short) length)
        .put((header + " ".repeat(length - header.length() - 1) + "\n")
            .getBytes(StandardCharsets.US_ASCII));
    for (double[] row : rows) {
      for (double each : row) {
        bytes.putDouble(each);
      }
    }
    Files.write(file, bytes.array());
  }
}
