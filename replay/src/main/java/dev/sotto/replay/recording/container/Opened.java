package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.encryption.Encryption;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * A container whose header was read and checked: Avro's part of it and ours.
 *
 * @param bytes of the file
 * @param avro Avro's header, with which blocks are read
 * @param sync what stands behind each block, and tells the file from others
 * @param seal of its blocks; empty where they are in clear
 * @param headerBytes how long all of it is: where the first block begins
 * @param manifestAt where our part of it begins
 * @param manifestBytes how much room it has
 */
record Opened(
    Path file,
    MappedFile bytes,
    DataFileStream.Header avro,
    byte[] sync,
    Manifest manifest,
    Optional<BlockSeal> seal,
    long headerBytes,
    long manifestAt,
    int manifestBytes) {
  /** The name of our part of the header. */
  static final String MANIFEST = "sotto.recording";

  private static final int FIRST_TRY = 1 << 14;
  private static final int LONGEST_HEADER = 1 << 24;
  private static final Set<String> PARTS =
      Set.of(DataFileConstants.SCHEMA, DataFileConstants.CODEC, MANIFEST);

  /** Opens a file. */
  static Opened of(Path file, Encryption encryption) {
    BlockSeal.register();
    try {
      MappedFile bytes = MappedFile.of(file);
      for (int most = FIRST_TRY; ; most <<= 5) {
        byte[] head = new byte[(int) Math.min(Math.min(most, LONGEST_HEADER), bytes.length())];
        bytes.read(0, head, 0, head.length);
        try {
          return read(file, bytes, head, encryption);
        } catch (EOFException tooShort) {
          if (head.length == LONGEST_HEADER || head.length == bytes.length()) {
            throw new RecordingFault(
                file + " is truncated or damaged within its header; record again, or restore it",
                tooShort);
          }
        }
      }
    } catch (IOException | AvroRuntimeException | ArithmeticException damaged) {
      throw new RecordingFault(
          file + " cannot be read as a recording: its header is damaged (" + damaged.getMessage()
              + "); record again, or restore it",
          damaged);
    }
  }

  private static Opened read(Path file, MappedFile bytes, byte[] head, Encryption encryption)
      throws IOException {
    DataFileStream<Object> stream =
        new DataFileStream<>(new ByteArrayInputStream(head), new GenericDatumReader<>());
    byte[] own = stream.getMeta(MANIFEST);
    if (own == null || !RecordSchema.isOurs(stream.getSchema())) {
      throw new RecordingFault(
          file + " is an Avro file, but no recording: it lacks the header " + MANIFEST
              + " or holds records of another schema, " + stream.getSchema().getFullName()
              + ". Check the path; record makes recordings");
    }
    if (!Set.copyOf(stream.getMetaKeys()).equals(PARTS)) {
      throw changed(file, "it has parts named " + stream.getMetaKeys());
    }
    int headerBytes = headerBytes(head);
    byte[] sync = Arrays.copyOfRange(head, headerBytes - DataFileConstants.SYNC_SIZE, headerBytes);
    String codec = stream.getMetaString(DataFileConstants.CODEC);
    boolean sealed = codec.equals(BlockSeal.NAME);
    Manifest manifest = manifest(file, own, sync, encryption);
    if (manifest.encrypted() != sealed
        || !sealed && !manifest.compression().toString().equals(codec)) {
      throw changed(file, "its codec is " + codec);
    }
    byte[] schema = stream.getMeta(DataFileConstants.SCHEMA);
    if (!digest(schema, codec, sync, manifest).equals(manifest.digest())) {
      throw changed(file, "its digest is another");
    }
    return new Opened(
        file,
        bytes,
        stream.getHeader(),
        sync,
        manifest,
        sealed
            ? encryption.recording(sync).map(each -> new BlockSeal(each, manifest.compression()))
            : Optional.empty(),
        headerBytes,
        place(head, own),
        own.length);
  }

  private static Manifest manifest(Path file, byte[] own, byte[] sync, Encryption encryption) {
    try {
      return ManifestJson.read(
          own,
          () -> new BlockSeal(
              encryption
                  .recording(sync)
                  .orElseThrow(
                      () -> new RecordingFault(
                          file
                              + " is encrypted, but no encryption key is given; give the keyset that wrote it"
                              + " (encryption.key.file in a configuration; record and play also take --encryption-key-file)")),
              Compression.NULL));
    } catch (Refusal closed) {
      throw new RecordingFault("the header of " + file + " " + closed.getMessage(), closed);
    } catch (IllegalArgumentException changed) {
      throw new RecordingFault(
          "the header " + MANIFEST + " of " + file + " " + changed.getMessage()
              + "; record again, or restore it",
          changed);
    }
  }

  private static RecordingFault changed(Path file, String how) {
    return new RecordingFault("the header of " + file + " is damaged or was changed: " + how
        + "; record again, or restore it");
  }

  /** SHA-256 over the header, and through the digests of partitions in it over all records. */
  static String digest(byte[] schema, String codec, byte[] sync, Manifest manifest) {
    MessageDigest digest = Sums.sha256();
    byte[] name = codec.getBytes(StandardCharsets.UTF_8);
    byte[] own = ManifestJson.digested(manifest);
    digest.update(ByteBuffer.allocate(3 * Integer.BYTES)
        .putInt(schema.length)
        .putInt(name.length)
        .putInt(own.length)
        .flip());
    digest.update(schema);
    digest.update(name);
    digest.update(own);
    digest.update(sync);
    return HexFormat.of().formatHex(digest.digest());
  }

  /** How long the header is: magic, the map of its parts, sync marker, each in Avro's binary encoding. */
  private static int headerBytes(byte[] head) throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(head, null);
    decoder.skipFixed(DataFileConstants.MAGIC.length);
    for (long count = decoder.readMapStart(); count != 0; count = decoder.mapNext()) {
      for (long i = 0; i < count; i++) {
        decoder.skipString();
        decoder.skipBytes();
      }
    }
    return head.length - decoder.remainingBytes() + DataFileConstants.SYNC_SIZE;
  }

  /** Where our part of a header begins in it. */
  static long place(byte[] head, byte[] own) {
    for (int at = 0; at + own.length <= head.length; at++) {
      if (Arrays.equals(head, at, at + own.length, own, 0, own.length)) {
        return at;
      }
    }
    throw new IllegalStateException("a header must hold its own parts, but does not");
  }
}
