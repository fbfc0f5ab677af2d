package dev.sotto.replay.recording.container;

import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.RecordingCipher;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;

/** The header of a container, read and checked: Avro's part of it and the manifest. */
final class ContainerHeader {
  /** The name of the manifest in Avro's header. */
  static final String MANIFEST = "sotto.recording";

  private static final Set<String> ENTRIES =
      Set.of(DataFileConstants.SCHEMA, DataFileConstants.CODEC, MANIFEST);

  private final Path file;
  private final long fileBytes;
  private final DataFileStream.Header avro;
  private final byte[] sync;
  private final Manifest manifest;
  private final Optional<RecordingCipher> cipher;
  private final long end;
  private final byte[] manifestBytes;

  /**
   * Opens a file.
   *
   * @throws RecordingException where it is no recording, or its header is damaged
   */
  static ContainerHeader of(Path file, Encryption encryption) {
    BlockSeal.register();
    try (FileInput in = new FileInput(file)) {
      return new ContainerHeader(file, in, encryption);
    } catch (SottoException known) {
      throw known;
    } catch (IOException | RuntimeException damaged) { // Avro has many ways to refuse a length
      throw new RecordingException(
          file + " cannot be read as a recording: its header is truncated or damaged ("
              + damaged.getMessage() + "); record again, or restore it",
          damaged);
    }
  }

  private ContainerHeader(Path file, FileInput in, Encryption encryption) throws IOException {
    this.file = file;
    this.fileBytes = in.length();
    DataFileReader<Object> reader = new DataFileReader<>(in, new GenericDatumReader<>());
    this.avro = reader.getHeader();
    this.manifestBytes = reader.getMeta(MANIFEST);
    if (manifestBytes == null || !RecordEncoder.isCompatible(reader.getSchema())) {
      throw new RecordingException(
          file + " is an Avro file, but no recording: it lacks the header " + MANIFEST
              + " or holds records of another schema, " + reader.getSchema().getFullName()
              + ". Check the path; record makes recordings");
    }
    if (!Set.copyOf(reader.getMetaKeys()).equals(ENTRIES)) {
      throw changed("it has entries named " + reader.getMetaKeys());
    }
    this.end = reader.previousSync();
    this.sync = read(in, end - DataFileConstants.SYNC_SIZE, DataFileConstants.SYNC_SIZE);
    String codec = reader.getMetaString(DataFileConstants.CODEC);
    this.manifest = manifest(encryption);
    if (!codec.equals(codec(manifest))) {
      throw changed("its codec is " + codec);
    }
    byte[] schema = reader.getMeta(DataFileConstants.SCHEMA);
    if (!digest(schema, sync, manifest).equals(manifest.integrity().digest())) {
      throw changed("its digest is another");
    }
    this.cipher = manifest.contents().encrypted() ? encryption.recording(sync) : Optional.empty();
  }

  private static byte[] read(FileInput in, long position, long length) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(length)];
    in.seek(position);
    for (int done = 0; done < bytes.length; ) {
      int count = in.read(bytes, done, bytes.length - done);
      if (count < 0) {
        throw new IOException("it ends after " + (position + done) + " bytes");
      }
      done += count;
    }
    return bytes;
  }

  private Manifest manifest(Encryption encryption) {
    try {
      return Manifest.read(manifestBytes, () -> requireCipher(encryption));
    } catch (UnsafeToContinueException closed) {
      throw new RecordingException("the header of " + file + " " + closed.getMessage(), closed);
    } catch (IllegalArgumentException changed) {
      throw new RecordingException(
          "the header " + MANIFEST + " of " + file + " " + changed.getMessage()
              + "; record again, or restore it",
          changed);
    }
  }

  private RecordingCipher requireCipher(Encryption encryption) {
    return encryption
        .recording(sync)
        .orElseThrow(() -> new RecordingException(file
            + " is encrypted, but no encryption key is given; give the keyset that wrote it"
            + " (encryption.key.file in a configuration; record and play also take"
            + " --encryption-key-file)"));
  }

  private RecordingException changed(String how) {
    return new RecordingException("the header of " + file + " is damaged or was changed: " + how
        + "; record again, or restore it");
  }

  /** The codec of the file as Avro names it. */
  static String codec(Manifest manifest) {
    Manifest.Contents contents = manifest.contents();
    return contents.encrypted() ? BlockSeal.NAME : contents.codec().toString();
  }

  /** SHA-256 over the header, and through the digests of partitions in it over all records. */
  static String digest(byte[] schema, byte[] sync, Manifest manifest) {
    byte[] codec = codec(manifest).getBytes(StandardCharsets.UTF_8);
    byte[] own = manifest.digested();
    MessageDigest digest = Sha256.digest();
    digest.update(ByteBuffer.allocate(3 * Integer.BYTES)
        .putInt(schema.length)
        .putInt(codec.length)
        .putInt(own.length)
        .flip());
    digest.update(schema);
    digest.update(codec);
    digest.update(own);
    return HexFormat.of().formatHex(digest.digest(sync));
  }

  /** The file. */
  Path file() {
    return file;
  }

  /** The length of the file when it was opened. */
  long fileBytes() {
    return fileBytes;
  }

  /** Avro's header, with which blocks are read. */
  DataFileStream.Header avro() {
    return avro;
  }

  /** What follows each block, and tells the file from others. */
  byte[] sync() {
    return sync;
  }

  Manifest manifest() {
    return manifest;
  }

  /** The cipher of the recording; empty where it is in clear. */
  Optional<RecordingCipher> cipher() {
    return cipher;
  }

  /** A codec of encrypted blocks, for one thread; null where they are in clear. */
  BlockSeal newSeal() {
    return cipher.map(each -> new BlockSeal(each, manifest.contents().codec())).orElse(null);
  }

  /** Where the header ends and the first block begins. */
  long end() {
    return end;
  }

  /** The length of the manifest in the file, with the spaces after it. */
  int manifestLength() {
    return manifestBytes.length;
  }

  /** Where the manifest begins in the file. */
  long manifestPosition() throws IOException {
    try (FileInput in = new FileInput(file)) {
      // As Latin-1, one character is one byte.
      String header = new String(read(in, 0, end), StandardCharsets.ISO_8859_1);
      return header.indexOf(new String(manifestBytes, StandardCharsets.ISO_8859_1));
    }
  }
}
