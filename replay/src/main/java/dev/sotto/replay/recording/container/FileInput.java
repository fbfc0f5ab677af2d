package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.apache.avro.file.SeekableInput;

/** A file for Avro's reader. Unlike a channel, it stays open when its thread is interrupted. */
final class FileInput implements SeekableInput {
  private final RandomAccessFile file;

  FileInput(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
  }

  @Override
  public void seek(long position) throws IOException {
    file.seek(position);
  }

  @Override
  public long tell() throws IOException {
    return file.getFilePointer();
  }

  @Override
  public long length() throws IOException {
    return file.length();
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    return file.read(into, from, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
