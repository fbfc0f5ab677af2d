package dev.sotto.topology.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks for bytes in every file of some folders, as somebody would who holds the disk. */
final class DiskSearch {
  private final Map<String, byte[]> needles = new TreeMap<>();

  DiskSearch plant(String name, byte[] needle) {
    needles.put(name, needle);
    return this;
  }

  /** Which needles are found, each with the folders that they are found in. */
  Map<String, TreeSet<String>> in(List<Path> folders) {
    Map<String, TreeSet<String>> found = new TreeMap<>();
    for (Path folder : folders) {
      for (Path file : files(folder)) {
        String haystack = text(read(file));
        needles.forEach((name, needle) -> {
          if (haystack.contains(text(needle))) {
            found
                .computeIfAbsent(name, first -> new TreeSet<>())
                .add(folder.getFileName().toString());
          }
        });
      }
    }
    return found;
  }

  /** The folders in a folder whose names are wanted. */
  static List<Path> folders(Path parent, Predicate<String> wanted) {
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(Files::isDirectory)
          .filter(child -> wanted.test(child.getFileName().toString()))
          .collect(Collectors.toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** One character a byte, so that the search is the platform's own. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
