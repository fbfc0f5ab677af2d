package dev.sotto.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of classes with a larger budget names classes that are there. */
class ClassBudgetListTest {
  @Test
  void namesClassesThatExist() throws IOException {
    Path list = Path.of("src/main/resources/dev/sotto/testing/class-budgets.txt");
    List<String> gone = Files.readAllLines(list).stream()
        .map(line -> line.split(" ")[0])
        .filter(name -> !isThere(name))
        .toList();
    assertEquals(List.of(), gone, "take these off " + list);
  }

  private static boolean isThere(String name) {
    String module = name.split("\\.")[2];
    Path file = Path.of("src", "test", "java").resolve(name.replace('.', '/') + ".java");
    return Files.exists(Path.of("..", module).resolve(file))
        || Files.exists(Path.of("..", "testbroker").resolve(file))
        || Files.exists(Path.of("..", "app").resolve(file));
  }
}
