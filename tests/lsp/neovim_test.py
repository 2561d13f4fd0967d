"""A real Neovim without a screen, set up as docs/editors.md says."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from editor import EditorTest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What somebody does in the editor; what they see goes to a file.
SESSION = r"""
local seen = {}
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    seen.failed = what
    error("waited in vain for " .. what)
  end
end
local function cursor_at(pattern, column)
  vim.fn.cursor(1, 1)
  local line = vim.fn.search(pattern, "cW")
  vim.fn.cursor(line, vim.fn.col(".") + column)
end
local function ask(method)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, vim.lsp.util.make_position_params(), 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
local function work()
  local buffer = vim.api.nvim_get_current_buf()
  wait("the server", function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)

  cursor_at("image: *#config.web", 1)
  seen.hover = ask("hover").contents.value

  cursor_at("scaling: count: #config.web", 0)
  vim.api.nvim_set_current_line("\t\t\tscalin: count: #config.web.replicas")
  wait("an error", function() return #vim.diagnostic.get(buffer) > 0 end)
  seen.errors = vim.tbl_map(function(one) return one.lnum .. ": " .. one.message end, vim.diagnostic.get(buffer))

  vim.api.nvim_set_current_line("\t\t\tscali")
  vim.fn.cursor(vim.fn.line("."), 8)
  local completed = ask("completion")
  seen.completion = vim.tbl_map(function(one) return one.label end, completed.items)
  vim.cmd("startinsert!")
  vim.lsp.util.apply_text_edits({ vim.tbl_filter(function(one) return one.label == "scaling" end, completed.items)[1].textEdit }, buffer, "utf-16")
  seen.completed = vim.api.nvim_get_current_line()
  vim.api.nvim_set_current_line("\t\t\tscaling:   count:   #config.web.replicas")
  wait("no error", function() return #vim.diagnostic.get(buffer) == 0 end)

  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
  seen.formatted = vim.api.nvim_get_current_line()

  cursor_at("network.#Expose", 10)
  vim.cmd("write")
  vim.lsp.buf.definition()
  wait("another file", function() return vim.api.nvim_get_current_buf() ~= buffer end)
  seen.definition = vim.api.nvim_buf_get_name(0)
  seen.line = vim.api.nvim_get_current_line()
  wait("the server there", function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
end
local fine, problem = pcall(work)
if not fine then seen.problem = tostring(problem) end
local out = io.open(vim.env.SEEN, "w")
out:write(vim.fn.json_encode(seen))
out:close()
vim.cmd("qall!")
"""


@unittest.skipUnless(shutil.which("nvim"), "no nvim")
class Neovim(EditorTest):
    def test_a_session(self):
        page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
        version = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout
        major, minor = map(int, re.match(r"NVIM v(\d+)\.(\d+)", version).groups())
        settings = re.findall(r"```lua\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(settings), 2)
        (self.folder / "init.lua").write_text(settings[0 if (major, minor) >= (0, 11) else 1], encoding="utf-8")
        (self.folder / "session.lua").write_text(SESSION, encoding="utf-8")
        shutil.copytree(ROOT / "examples/shop", self.folder / "shop")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/opm").symlink_to(self.opm)
        seen = self.folder / "seen.json"
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|XDG_", name)}
        done = subprocess.run(
            ["nvim", "--headless", "-n", "-i", "NONE", "-u", self.folder / "init.lua", "components.cue", "-c", f"luafile {self.folder}/session.lua"],
            cwd=self.folder / "shop", timeout=120, capture_output=True, text=True, check=False,
            env={**kept, "HOME": str(self.home), "SEEN": str(seen), "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.assertTrue(seen.exists(), done.stderr)
        said = json.loads(seen.read_text(encoding="utf-8"))
        self.assertNotIn("problem", said, said)
        self.assertIn("image: string", said["hover"])
        self.assertTrue(any("scalin" in error for error in said["errors"]), said["errors"])
        self.assertIn("scaling", said["completion"])
        self.assertEqual(said["completed"], "\t\t\tscaling: ")
        self.assertEqual(said["formatted"], "\t\t\tscaling: count: #config.web.replicas")
        self.assertTrue(said["definition"].startswith(str(self.home / ".cache/opm/catalog")), said["definition"])
        self.assertIn("#Expose", said["line"])
