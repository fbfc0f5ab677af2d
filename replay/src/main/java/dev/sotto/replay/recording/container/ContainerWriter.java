package dev.sotto.replay.recording.container;

import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.encryption.RecordingCipher;
import dev.sotto.topology.failure.SottoException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.kafka.common.header.Header;

/**
 * Writes a container, readable by its owner alone: partition after partition, each in ascending
 * order of offsets. Until {@link #complete()} the header says that it is incomplete; whoever opens
 * it again continues after the last whole block.
 */
public final class ContainerWriter implements Closeable {
  private static final int BLOCK_BYTES = 1 << 16;

  private final Path file;
  private final FileChannel channel;
  private final boolean resumed;
  private final ContainerHeader header;
  private final long manifestPosition;
  private final WriteProgress progress;
  private final BlockSeal seal; // null where blocks are in clear
  private final DataFileWriter<Object> writer;
  private final RecordEncoder encoder = new RecordEncoder();
  private long written;

  /**
   * Begins a file, or continues it.
   *
   * @throws SottoException where it was begun with another specification, is complete, or cannot be
   *     written
   * @throws RecordingException where it is no recording
   */
  public static ContainerWriter open(Path file, ContainerSpec spec) {
    try {
      boolean resumed = Files.exists(file);
      FileChannel channel = OutputFile.open(file, resumed);
      try {
        FileLock lock = OutputFile.lock(file, channel);
        if (!resumed) {
          writeHeader(channel, spec);
        }
        ContainerWriter writer = new ContainerWriter(file, channel, spec, resumed);
        // Where the system has locks of processes, reading the file has released this one.
        lock.release();
        OutputFile.lock(file, channel);
        return writer;
      } catch (IOException | RuntimeException failed) {
        channel.close();
        if (!resumed) {
          Files.deleteIfExists(file);
        }
        throw failed;
      }
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  private static void writeHeader(FileChannel channel, ContainerSpec spec) throws IOException {
    Manifest begun = spec.manifest();
    byte[] sync = new byte[DataFileConstants.SYNC_SIZE];
    if (begun.contents().encrypted()) {
      new SecureRandom().nextBytes(sync);
    } else { // the same recording gives the same file
      sync = Arrays.copyOf(Sha256.sha256(begun.digested()), sync.length);
    }
    RecordingCipher cipher = spec.encryption().recording(sync).orElse(null);
    int length = begun.longest().write(cipher).length;
    BlockSeal.register();
    DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>());
    writer.setCodec(CodecFactory.fromString(ContainerHeader.codec(begun)));
    writer.setMeta(ContainerHeader.MANIFEST, written(begun, sync, cipher, length));
    writer.create(RecordEncoder.SCHEMA, new BlockStream(channel, true), sync);
    channel.force(true);
  }

  /** A manifest with its digest, as it is in the file. */
  private static byte[] written(
      Manifest manifest, byte[] sync, RecordingCipher cipher, int length) {
    byte[] schema = RecordEncoder.SCHEMA.toString().getBytes(StandardCharsets.UTF_8);
    String digest = ContainerHeader.digest(schema, sync, manifest);
    return Manifest.padded(manifest.withDigest(digest).write(cipher), length);
  }

  private ContainerWriter(Path file, FileChannel channel, ContainerSpec spec, boolean resumed)
      throws IOException {
    this.file = file;
    this.channel = channel;
    this.resumed = resumed;
    this.header = ContainerHeader.of(file, spec.encryption());
    if (resumed) {
      Resumption.check(header, spec);
      OutputFile.restrict(file);
    }
    Resumption found = new Resumption(header);
    this.manifestPosition = header.manifestPosition();
    this.progress = found.progress();
    this.seal = header.newSeal();
    channel.truncate(found.position());
    channel.position(found.position());
    this.writer = new DataFileWriter<>(new GenericDatumWriter<>());
    writer.setCodec(seal == null ? spec.compression().factory() : BlockSeal.factory(seal));
    writer.setSyncInterval(BLOCK_BYTES);
    BlockStream stream = new BlockStream(channel, false);
    writer.create(RecordEncoder.SCHEMA, stream, header.sync());
    stream.isOpen = true;
    enterPartition(found.blocks());
  }

  /** Writes to a channel; drops the header with which Avro's writer begins if the file has one. */
  private static final class BlockStream extends OutputStream {
    private final FileChannel channel;
    private boolean isOpen;

    BlockStream(FileChannel channel, boolean isOpen) {
      this.channel = channel;
      this.isOpen = isOpen;
    }

    @Override
    public void write(int each) throws IOException {
      write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
      while (isOpen && left.hasRemaining()) {
        channel.write(left);
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** The ranges that were asked for when the file was begun. */
  public List<RecordedRange> ranges() {
    return progress.ranges();
  }

  /** Whether the file had been begun before. */
  public boolean resumed() {
    return resumed;
  }

  /** Whether a partition is finished. */
  public boolean isFinished(int partition) {
    return progress.finished().stream().anyMatch(each -> each.range().partition() == partition);
  }

  /** The first missing offset of the current partition, which is the first unfinished one. */
  public long next() {
    return progress.nextOffset();
  }

  /** The number of records in the file, of all partitions. */
  public long records() {
    return progress.records();
  }

  /** The number of records that were appended since it was opened. */
  public long written() {
    return written;
  }

  /**
   * Appends a record to the current partition.
   *
   * @param key may be null
   * @param value may be null
   * @throws IllegalArgumentException where it does not belong there
   */
  public void append(
      int partition, long offset, long timestamp, byte[] key, byte[] value, Header[] headers) {
    try {
      progress.count(partition, offset);
      ByteBuffer encoded = encoder.encode(partition, offset, timestamp, key, value, headers);
      progress.add(encoded);
      writer.appendEncoded(encoded);
      written++;
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  /** Ends the block, so that what was appended survives a crash. */
  public void flush() {
    try {
      writer.sync();
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  /** Finishes the current partition. */
  public void finish() {
    try {
      writer.sync();
      channel.force(false);
      long blocks = seal == null ? 0 : seal.block();
      progress.finish(channel.position(), blocks);
      enterPartition(blocks);
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  private void enterPartition(long blocks) {
    if (seal != null && !progress.isComplete()) {
      seal.at(progress.current().partition(), blocks);
    }
  }

  /**
   * Completes the file; all partitions must be finished.
   *
   * @throws RecordingException where none of them has a record; the file is removed
   */
  public void complete() {
    if (!progress.isComplete()) {
      throw new IllegalStateException("partition " + progress.current() + " is not finished");
    }
    Manifest manifest = header.manifest();
    try {
      if (records() == 0) {
        close();
        Files.delete(file);
        throw new RecordingException(
            "nothing was recorded: " + manifest.origin().topic()
                + " holds no committed record in " + manifest.contents().request()
                + "; record another range");
      }
      Manifest whole =
          manifest.completed(channel.position(), progress.finished(), progress.checksums());
      ByteBuffer bytes = ByteBuffer.wrap(
          written(whole, header.sync(), header.cipher().orElse(null), header.manifestLength()));
      channel.force(true); // the records first: a manifest that says complete must not be alone
      while (bytes.hasRemaining()) {
        channel.write(bytes, manifestPosition + bytes.position());
      }
      channel.force(true);
      close();
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  /** Ends writing; the file stays, incomplete unless it was completed. */
  @Override
  public void close() {
    try (channel) {
      if (channel.isOpen()) {
        writer.close();
      }
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }
}
