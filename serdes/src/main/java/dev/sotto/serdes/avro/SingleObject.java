package dev.sotto.serdes.avro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * Generic records to and from Avro's single-object encoding: C3 01, the CRC-64-AVRO fingerprint of
 * the writer's schema in little-endian order, the body. Safe for use by several threads.
 *
 * <p>Promises: equal records give equal bytes; no class is looked up by a name found in data or
 * schema; no more is allocated than the input has bytes for.
 */
public final class SingleObject {
  /*
   * Avro's BinaryMessageDecoder reads through a stream, does not know how much is left, and
   * allocates whatever length the bytes claim before it looks: 2 GB for a message of 20 bytes. Its
   * decoder over an array checks lengths first, so the ten bytes of the header are read here. The
   * classic reader is chosen over the "fast" one, which can look up classes that a schema names, so
   * that a system property cannot change what reads.
   */
  public static final int HEADER = 10;

  private static final byte[] NOTHING = {};

  private final String name;
  private final Schema current;
  private final GenericData model = new GenericData();
  private final BinaryMessageEncoder<GenericRecord> encoder;
  private final Map<Long, GenericDatumReader<GenericRecord>> readers = new HashMap<>();

  /** A record type by its schema in force and the schemas it was written with before. */
  SingleObject(String name, Schema current, List<Schema> history) {
    this.name = name;
    this.current = current;
    model.setFastReaderEnabled(false);
    encoder = new BinaryMessageEncoder<>(model, current);
    for (Schema writer : history) {
      readers.put(fingerprint(writer), new GenericDatumReader<>(writer, current, model));
    }
    readers.put(fingerprint(current), new GenericDatumReader<>(current, current, model));
  }

  /** The record type of this name, by the schemas in the jar. */
  public static SingleObject of(String name) {
    return new SingleObject(name, SchemaFiles.current(name), SchemaFiles.history(name));
  }

  /** The same record type, written by the form before that in force. */
  public SingleObject before() {
    List<Schema> history = SchemaFiles.history(name);
    return new SingleObject(name, history.get(history.size() - 1), history);
  }

  public static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  /** The fingerprint of the schema by which a record was written. */
  public static long fingerprintOf(byte[] record) {
    return LittleEndian.getLong(record, 2);
  }

  public Schema schema() {
    return current;
  }

  /** The first ten bytes of all that is written by one schema. */
  public static byte[] header(Schema schema) {
    byte[] header = new byte[HEADER];
    header[0] = (byte) 0xC3;
    header[1] = 0x01;
    LittleEndian.putLong(header, 2, fingerprint(schema));
    return header;
  }

  public byte[] encode(GenericRecord record) {
    try {
      // Twice, so that the array is neither grown nor copied: the first pass only counts.
      ExactBytes counter = new ExactBytes(null);
      encoder.encode(record, counter);
      ExactBytes bytes = new ExactBytes(new byte[counter.count()]);
      encoder.encode(record, bytes);
      return bytes.take();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
  }

  public GenericRecord decode(byte[] bytes) {
    GenericDatumReader<GenericRecord> reader = reader(bytes);
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, HEADER, bytes.length - HEADER, null);
    try {
      GenericRecord record = reader.read(null, decoder);
      if (!decoder.isEnd()) {
        throw fault("there are bytes after its end", null);
      }
      return record;
    } catch (UnreadableRecordException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw fault("its body is cut off or damaged", e);
    } finally {
      // Avro keeps the last decoder of each thread, which must not keep 16 MB alive.
      DecoderFactory.get().binaryDecoder(NOTHING, decoder);
    }
  }

  /** The same record as the schema in force writes it. */
  public byte[] upgrade(byte[] bytes) {
    return encode(decode(bytes));
  }

  private GenericDatumReader<GenericRecord> reader(byte[] bytes) {
    if (bytes == null) {
      throw fault("there is no value", null);
    }
    if (bytes.length < HEADER || bytes[0] != (byte) 0xC3 || bytes[1] != 0x01) {
      throw fault(
          "its " + bytes.length + " bytes do not start with the mark C3 01 and a fingerprint",
          null);
    }
    long fingerprint = LittleEndian.getLong(bytes, 2);
    GenericDatumReader<GenericRecord> reader = readers.get(fingerprint);
    if (reader == null) {
      throw new UnreadableRecordException(
          name,
          "written by a schema this version does not know: fingerprint "
              + String.format("%016x", fingerprint),
          "read it with the version that wrote it or a later one, or check the topic's name",
          null);
    }
    return reader;
  }

  public UnreadableRecordException fault(String fault, Throwable cause) {
    return new UnreadableRecordException(
        name,
        fault,
        "check that the topic or store is the right one and nothing else writes to it",
        cause);
  }
}
