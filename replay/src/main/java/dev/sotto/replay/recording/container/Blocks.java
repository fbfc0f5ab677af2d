package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;

/** Goes through the blocks of a container, as Avro's reader gives them out, from one place on. */
final class Blocks {
  private static final int LONGEST_NUMBER = 10;

  private final MappedFile file;
  private final DataFileReader<Object> reader;
  private final long end;
  private final byte[] prefix = new byte[2 * LONGEST_NUMBER];
  private long position;
  private int prefixBytes;
  private long records;

  /**
   * Blocks in a stretch of a file.
   *
   * @param header the file's, read before
   * @param start where a block begins
   * @param end where one ends
   */
  Blocks(MappedFile file, DataFileStream.Header header, long start, long end) throws IOException {
    this.file = file;
    this.end = end;
    this.position = start;
    this.reader =
        DataFileReader.openReader(file.input(start), new GenericDatumReader<>(), header, false);
  }

  /** Where the next block begins. */
  long position() {
    return position;
  }

  /** How many records the last block holds. */
  long records() {
    return records;
  }

  /**
   * The next block, without its compression; null at the end.
   *
   * @throws IOException where it is not whole, or damaged
   */
  ByteBuffer next() throws IOException {
    if (position == end) {
      return null;
    }
    // Looked at beforehand: Avro allocates whatever size a damaged block claims.
    int read = file.read(position, prefix, 0, (int) Math.min(prefix.length, end - position));
    prefixBytes = 0;
    records = number(read);
    long size = number(read);
    long left = end - position - prefixBytes - DataFileConstants.SYNC_SIZE;
    if (records < 1 || size < 0 || size > left) {
      throw new IOException("a block claims " + records + " records in " + size
          + " bytes where at most " + left + " can be");
    }
    try {
      ByteBuffer block = reader.nextBlock();
      position += prefixBytes + size + DataFileConstants.SYNC_SIZE;
      return block;
    } catch (AvroRuntimeException damaged) {
      throw new IOException(
          damaged.getCause() == null ? damaged.getMessage() : damaged.getCause().getMessage(),
          damaged);
    } catch (RuntimeException damaged) {
      throw new IOException("a block cannot be decompressed", damaged);
    }
  }

  private long number(int available) throws IOException {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (prefixBytes == available) {
        break;
      }
      byte next = prefix[prefixBytes++];
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new IOException("a block does not begin with its numbers of records and bytes");
  }
}
